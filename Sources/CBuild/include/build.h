#ifndef CBUILD_H
#define CBUILD_H

/* The commit that was built; empty if Package.swift was not told. */
extern const char *const CBuild_commit;

#endif
