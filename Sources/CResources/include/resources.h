#ifndef CRESOURCES_H
#define CRESOURCES_H

// A file that is in the program.
struct CResource {
    // In the folder Sources.
    const char *path;
    const unsigned char *bytes;
    unsigned long size;
};

// The file at a path; without bytes if resources.c does not contain it.
struct CResource CResources_find(const char *path);

#endif
