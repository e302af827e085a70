/*
 * buffer.h - bytes in memory that grow.
 */
#ifndef CID_CLI_BUFFER_H
#define CID_CLI_BUFFER_H

#include <stddef.h>

struct buffer {
    char *data; /* NULL when nothing was ever put in */
    size_t len;
    size_t cap;
};

/* Room for n bytes more; returns where they go. The caller adds to len what it uses. */
char *buffer_room(struct buffer *buffer, size_t n);
void buffer_put(struct buffer *buffer, const char *text, size_t len);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_free(struct buffer *buffer);

#endif
