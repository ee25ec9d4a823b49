"""spark_refusals.py JOB GLIMPSE (PLAN DATA OUT)...: runs the job of `glimpse spark-submit` for several tables in one session of
Spark, as most of a short job is the start of Java. Prints the status of each after what the job says.
"""
import importlib.util
import sys

from pyspark.sql import SparkSession

spec = importlib.util.spec_from_file_location("job", sys.argv[1])
job = importlib.util.module_from_spec(spec)
spec.loader.exec_module(job)
stop, SparkSession.stop = SparkSession.stop, lambda session: None
glimpse, *jobs = sys.argv[2:]
for i in range(0, len(jobs), 3):
    sys.argv[1:] = [glimpse, *jobs[i:i + 3]]
    print("status", job.main(), jobs[i + 1], file=sys.stderr, flush=True)
stop(SparkSession.getActiveSession())
