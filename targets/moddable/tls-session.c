/*
 * A client's side of one TLS connection, by Mbed TLS: the system's on Linux, ESP-IDF's on an ESP32. It works in memory: what the
 * socket receives goes in, and what it has to send comes out. The certificate of the broker's authority is the only one that it trusts.
 */
#include "xsmc.h"
#include "xsHost.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef ESP32
#define MBEDTLS_CONFIG_FILE "mbedtls/esp_config.h"
#define TF_PSA_CRYPTO_USER_CONFIG_FILE "mbedtls/esp_config.h"
#endif
#include "mbedtls/ssl.h"
#include "mbedtls/version.h"
#include "mbedtls/x509_crt.h"
/* Since version 4 its random numbers are PSA's. */
#define OWN_RANDOM (MBEDTLS_VERSION_MAJOR < 4)
#if OWN_RANDOM
#include "mbedtls/ctr_drbg.h"
#include "mbedtls/entropy.h"
#else
#include "psa/crypto.h"
#endif
#ifndef MBEDTLS_HAVE_TIME_DATE
#error "Mbed TLS checks no dates: an ESP32's sdkconfig.defaults takes CONFIG_MBEDTLS_HAVE_TIME_DATE=y"
#endif

/* A node's flights in a handshake are shorter than OUT_BYTES, and so is a record of what tls-socket.ts writes at once. */
enum { IN_BYTES = 1024, OUT_BYTES = 4096 };

typedef struct {
	mbedtls_ssl_context ssl;
	mbedtls_ssl_config config;
	mbedtls_x509_crt authority;
#if OWN_RANDOM
	mbedtls_entropy_context entropy;
	mbedtls_ctr_drbg_context random;
#endif
	size_t inAt, inEnd, outEnd;
	unsigned char in[IN_BYTES], out[OUT_BYTES];
} Session;

static int receiveBytes(void* context, unsigned char* into, size_t most) {
	Session* session = context;
	size_t count = session->inEnd - session->inAt;
	if (count == 0) return MBEDTLS_ERR_SSL_WANT_READ;
	if (count > most) count = most;
	memcpy(into, session->in + session->inAt, count);
	session->inAt += count;
	return (int)count;
}

static int sendBytes(void* context, const unsigned char* from, size_t count) {
	Session* session = context;
	size_t room = OUT_BYTES - session->outEnd;
	if (room == 0) return MBEDTLS_ERR_SSL_WANT_WRITE;
	if (count > room) count = room;
	memcpy(session->out + session->outEnd, from, count);
	session->outEnd += count;
	return (int)count;
}

/* Why a connection failed, in words where a person can mend it. */
static void refuse(xsMachine* the, Session* session, int error) {
	uint32_t flags = mbedtls_ssl_get_verify_result(&session->ssl);
	const char* why = NULL;
	if (error == MBEDTLS_ERR_X509_CERT_VERIFY_FAILED)
		why = flags & MBEDTLS_X509_BADCERT_CN_MISMATCH ? "is for another host"
			: flags & (MBEDTLS_X509_BADCERT_EXPIRED | MBEDTLS_X509_BADCERT_FUTURE) ? "isn't valid at this time"
			: "isn't signed by the given authority";
	if (why) xsUnknownError("TLS: the broker's certificate %s", why);
	xsUnknownError("TLS: -0x%04x", (unsigned)-error);
}

static int isPassing(int error) {
	return error == MBEDTLS_ERR_SSL_WANT_READ || error == MBEDTLS_ERR_SSL_WANT_WRITE;
}

void tls_session_delete(void* data) {
	Session* session = data;
	if (!session) return;
	mbedtls_ssl_free(&session->ssl);
	mbedtls_ssl_config_free(&session->config);
	mbedtls_x509_crt_free(&session->authority);
#if OWN_RANDOM
	mbedtls_ctr_drbg_free(&session->random);
	mbedtls_entropy_free(&session->entropy);
#endif
	free(session);
}

static int beginRandom(Session* session) {
#if OWN_RANDOM
	mbedtls_entropy_init(&session->entropy);
	mbedtls_ctr_drbg_init(&session->random);
	mbedtls_ssl_conf_rng(&session->config, mbedtls_ctr_drbg_random, &session->random);
	return mbedtls_ctr_drbg_seed(&session->random, mbedtls_entropy_func, &session->entropy, NULL, 0);
#else
	return psa_crypto_init() == PSA_SUCCESS ? 0 : MBEDTLS_ERR_SSL_HW_ACCEL_FAILED;
#endif
}

/* A certificate, PEM or DER: Mbed TLS knows PEM by the 0 at its end. */
static int readAuthority(Session* session, const void* from, size_t bytes) {
	unsigned char* text = calloc(bytes + 1, 1);
	if (!text) return MBEDTLS_ERR_X509_ALLOC_FAILED;
	memcpy(text, from, bytes);
	int error = mbedtls_x509_crt_parse(&session->authority, text, bytes + 1);
	free(text);
	return error > 0 ? MBEDTLS_ERR_X509_INVALID_FORMAT : error;
}

/* The year 2025: an earlier time is that of a board whose clock nobody has set, which counts from its start. */
enum { CLOCK_IS_SET = 1735689600 };

/* Without a clock a certificate's dates say nothing. Its host and its signature are checked as ever. */
static int ignoreDates(void* context, mbedtls_x509_crt* certificate, int depth, uint32_t* flags) {
	if (time(NULL) < CLOCK_IS_SET) *flags &= ~(MBEDTLS_X509_BADCERT_EXPIRED | MBEDTLS_X509_BADCERT_FUTURE);
	return 0;
}

/* 0, or Mbed TLS's error. */
static int begin(Session* session, const char* host, int hasClock) {
	mbedtls_ssl_config* config = &session->config;
	int error = mbedtls_ssl_config_defaults(config, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
	if (error != 0) return error;
#if MBEDTLS_VERSION_MAJOR < 3 /* later ones speak nothing older than TLS 1.2 */
	mbedtls_ssl_conf_min_version(config, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
#endif
	mbedtls_ssl_conf_authmode(config, MBEDTLS_SSL_VERIFY_REQUIRED);
	mbedtls_ssl_conf_ca_chain(config, &session->authority, NULL);
	if (!hasClock) mbedtls_ssl_conf_verify(config, ignoreDates, NULL);
	if ((error = mbedtls_ssl_setup(&session->ssl, config)) != 0) return error;
	mbedtls_ssl_set_bio(&session->ssl, session, sendBytes, receiveBytes, NULL);
	return mbedtls_ssl_set_hostname(&session->ssl, host);
}

/* The host's name, the authority's certificate, and whether the machine knows the time. */
void tls_session_open(xsMachine* the) {
	char host[256];
	void* authority;
	xsUnsignedValue bytes;
	xsmcToStringBuffer(xsArg(0), host, sizeof(host));
	xsmcGetBufferReadable(xsArg(1), &authority, &bytes);
	Session* session = calloc(1, sizeof(Session));
	if (!session) xsRangeError("TLS: no memory");
	mbedtls_ssl_init(&session->ssl);
	mbedtls_ssl_config_init(&session->config);
	mbedtls_x509_crt_init(&session->authority);
	int error = beginRandom(session);
	xsmcSetHostData(xsThis, session);
	if (readAuthority(session, authority, bytes) != 0) xsRangeError("ca: takes the file of a certificate, PEM or DER");
	if (error == 0) error = begin(session, host, xsmcToBoolean(xsArg(2)));
	if (error != 0) refuse(the, session, error);
}

void tls_session_close(xsMachine* the) {
	tls_session_delete(xsmcGetHostData(xsThis));
	xsmcSetHostData(xsThis, NULL);
}

static Session* sessionOf(xsMachine* the) {
	Session* session = xsmcGetHostData(xsThis);
	if (!session) xsUnknownError("TLS: closed");
	return session;
}

void tls_session_room(xsMachine* the) {
	Session* session = sessionOf(the);
	xsmcSetInteger(xsResult, (int)(IN_BYTES - (session->inEnd - session->inAt)));
}

/* Bytes from the socket. */
void tls_session_receive(xsMachine* the) {
	Session* session = sessionOf(the);
	void* from;
	xsUnsignedValue count;
	xsmcGetBufferReadable(xsArg(0), &from, &count);
	memmove(session->in, session->in + session->inAt, session->inEnd - session->inAt);
	session->inEnd -= session->inAt;
	session->inAt = 0;
	if (count > IN_BYTES - session->inEnd) xsRangeError("TLS: no room");
	memcpy(session->in + session->inEnd, from, count);
	session->inEnd += count;
}

/* Bytes for the socket, as many as there is room; returns how many. */
void tls_session_take(xsMachine* the) {
	Session* session = sessionOf(the);
	void* into;
	xsUnsignedValue count;
	xsmcGetBufferWritable(xsArg(0), &into, &count);
	if (count > session->outEnd) count = session->outEnd;
	memcpy(into, session->out, count);
	session->outEnd -= count;
	memmove(session->out, session->out + count, session->outEnd);
	xsmcSetInteger(xsResult, (int)count);
}

static int isOver(const Session* session) {
#if MBEDTLS_VERSION_MAJOR < 3
	return session->ssl.state == MBEDTLS_SSL_HANDSHAKE_OVER;
#else
	return mbedtls_ssl_is_handshake_over((mbedtls_ssl_context*)&session->ssl);
#endif
}

/* One step of the handshake: 1 after the last, 0 after another, -1 if it waits for bytes, or for room. */
void tls_session_step(xsMachine* the) {
	Session* session = sessionOf(the);
	int error = mbedtls_ssl_handshake_step(&session->ssl);
	if (error != 0 && !isPassing(error)) refuse(the, session, error);
	xsmcSetInteger(xsResult, error != 0 ? -1 : isOver(session));
}

/* Decrypted bytes, as many as there is room; returns how many. */
void tls_session_read(xsMachine* the) {
	Session* session = sessionOf(the);
	void* into;
	xsUnsignedValue count;
	xsmcGetBufferWritable(xsArg(0), &into, &count);
	int got = mbedtls_ssl_read(&session->ssl, into, count);
#ifdef MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET
	while (got == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET) got = mbedtls_ssl_read(&session->ssl, into, count);
#endif
	if (got == 0 || got == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY) xsUnknownError("TLS: the broker closed it");
	if (got < 0 && !isPassing(got)) refuse(the, session, got);
	xsmcSetInteger(xsResult, got < 0 ? 0 : got);
}

/* Encrypts bytes: those of a record, once `take` has emptied what was there. */
void tls_session_write(xsMachine* the) {
	Session* session = sessionOf(the);
	void* from;
	xsUnsignedValue count;
	xsmcGetBufferReadable(xsArg(0), &from, &count);
	int sent = mbedtls_ssl_write(&session->ssl, from, count);
	if (sent != (int)count) refuse(the, session, sent < 0 ? sent : MBEDTLS_ERR_SSL_WANT_WRITE);
}

void tls_session_pending(xsMachine* the) { xsmcSetInteger(xsResult, (int)sessionOf(the)->outEnd); }
