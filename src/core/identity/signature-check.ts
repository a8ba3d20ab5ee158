// The part of WebCrypto that checks of signatures need. The same code runs in Node and in a browser; the caller passes its own.

/** `crypto.subtle`. */
export type SignatureCheck = Pick<SubtleCrypto, 'digest' | 'importKey' | 'verify'>
