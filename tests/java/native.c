/* The part in C of a process of two languages. */
#include "native_glimpse.h"
#include <jni.h>

JNIEXPORT void JNICALL Java_Scenes_callNative(JNIEnv *env, jclass scenes, jint number);

JNIEXPORT void JNICALL Java_Scenes_callNative(JNIEnv *env, jclass scenes, jint number)
{
	(void)env;
	(void)scenes;
	Called_Stamp(number);
}
