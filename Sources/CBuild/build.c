#include "build.h"

const char *const CBuild_commit = CBUILD_COMMIT;
