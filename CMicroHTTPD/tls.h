#ifndef CMICROHTTPD_TLS_H
#define CMICROHTTPD_TLS_H

/* Certificates and their keys, as libmicrohttpd's callback passes them to GnuTLS. */

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A certificate with its intermediate certificates, and its key. */
struct CMicroHTTPD_Identity {
    gnutls_pcert_st chain[16];
    unsigned count;
    gnutls_privkey_t key;
};

/* TLS 1.2 and later, with the ciphers that have forward secrecy and authenticated encryption. */
static const char *const CMicroHTTPD_tls_priorities =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA"
    ":-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD:%SERVER_PRECEDENCE";

/* What is wrong with a certificate and a key. */
static const int CMicroHTTPD_bad_certificate = 1;
static const int CMicroHTTPD_bad_key = 2;
static const int CMicroHTTPD_foreign_key = 3;

/* Frees the identity. No handshake may use it at that time. */
static inline void CMicroHTTPD_free_identity(struct CMicroHTTPD_Identity *identity) {
    for (unsigned index = 0; index < identity->count; index++) gnutls_pcert_deinit(&identity->chain[index]);
    if (identity->key != NULL) gnutls_privkey_deinit(identity->key);
    free(identity);
}

/* Whether the key belongs to the first certificate. */
static inline bool CMicroHTTPD_belong_together(const struct CMicroHTTPD_Identity *identity) {
    unsigned char ids[2][64];
    size_t sizes[2] = {sizeof ids[0], sizeof ids[1]};
    gnutls_pubkey_t key;
    if (gnutls_pubkey_init(&key) < 0) return false;
    bool known = gnutls_pubkey_import_privkey(key, identity->key, 0, 0) >= 0 &&
        gnutls_pubkey_get_key_id(key, GNUTLS_KEYID_USE_SHA256, ids[0], &sizes[0]) >= 0 &&
        gnutls_pubkey_get_key_id(identity->chain[0].pubkey, GNUTLS_KEYID_USE_SHA256, ids[1], &sizes[1]) >= 0;
    gnutls_pubkey_deinit(key);
    return known && sizes[0] == sizes[1] && memcmp(ids[0], ids[1], sizes[0]) == 0;
}

/* Reads certificates and a key in PEM into `result`. Returns 0, or one of the errors above without a result. */
static inline int CMicroHTTPD_read_identity(const void *certificates, size_t certificates_size, const void *key,
                                            size_t key_size, struct CMicroHTTPD_Identity **result) {
    gnutls_datum_t chain_text = {(unsigned char *)certificates, (unsigned)certificates_size};
    gnutls_datum_t key_text = {(unsigned char *)key, (unsigned)key_size};
    struct CMicroHTTPD_Identity *identity = calloc(1, sizeof *identity);
    unsigned count = sizeof identity->chain / sizeof identity->chain[0];
    int failure = 0;
    if (identity == NULL) return CMicroHTTPD_bad_certificate;
    if (gnutls_pcert_list_import_x509_raw(identity->chain, &count, &chain_text, GNUTLS_X509_FMT_PEM,
                                          GNUTLS_X509_CRT_LIST_IMPORT_FAIL_IF_EXCEED | GNUTLS_X509_CRT_LIST_SORT) < 0) {
        failure = CMicroHTTPD_bad_certificate;
    } else {
        identity->count = count;
        if (gnutls_privkey_init(&identity->key) < 0 ||
            gnutls_privkey_import_x509_raw(identity->key, &key_text, GNUTLS_X509_FMT_PEM, NULL, 0) < 0) {
            failure = CMicroHTTPD_bad_key;
        } else if (!CMicroHTTPD_belong_together(identity)) {
            failure = CMicroHTTPD_foreign_key;
        }
    }
    if (failure == 0) {
        *result = identity;
    } else {
        CMicroHTTPD_free_identity(identity);
    }
    return failure;
}

/* The Unix times from which all certificates are valid, and at which the first of them expires. Returns -1 if one cannot be read. */
static inline int CMicroHTTPD_read_validity(const struct CMicroHTTPD_Identity *identity, int64_t *start, int64_t *end) {
    *start = 0, *end = INT64_MAX;
    for (unsigned index = 0; index < identity->count; index++) {
        gnutls_x509_crt_t certificate;
        if (gnutls_x509_crt_init(&certificate) < 0) return -1;
        int64_t from = -1, to = -1;
        if (gnutls_x509_crt_import(certificate, &identity->chain[index].cert, GNUTLS_X509_FMT_DER) >= 0) {
            from = gnutls_x509_crt_get_activation_time(certificate);
            to = gnutls_x509_crt_get_expiration_time(certificate);
        }
        gnutls_x509_crt_deinit(certificate);
        if (from < 0 || to < 0) return -1;
        if (from > *start) *start = from;
        if (to < *end) *end = to;
    }
    return 0;
}

/* Passes an identity to GnuTLS. It must outlive the session. */
static inline void CMicroHTTPD_show_identity(struct CMicroHTTPD_Identity *identity, void *chain, unsigned *count,
                                             void *key) {
    *(gnutls_pcert_st **)chain = identity->chain;
    *count = identity->count;
    *(gnutls_privkey_t *)key = identity->key;
}

/* The connection of a session. */
static inline struct MHD_Connection *CMicroHTTPD_connection_of_session(void *session) {
    return (struct MHD_Connection *)gnutls_session_get_ptr((gnutls_session_t)session);
}

#endif
