// mc/config, which the SDK makes for boards alone: the key exchanges of its TLS.
export default Object.freeze({ tls: Object.freeze({ DHE_RSA: false, ECDHE_RSA: true }) });
