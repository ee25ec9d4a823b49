test_programs += tests/base/confine_test tests/base/quantity_test tests/base/sha256_test tests/base/value_bag_test
tests_base_confine_test_LDADD = libbase.a
tests_base_quantity_test_LDADD = libbase.a
tests_base_sha256_test_LDADD = libbase.a
tests_base_value_bag_test_LDADD = libbase.a -lm
