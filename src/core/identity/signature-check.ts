// The part of WebCrypto that checks of signatures need, for Node and browsers; the caller passes its own.

/** `crypto.subtle`. */
export type SignatureCheck = Pick<SubtleCrypto, 'digest' | 'importKey' | 'verify'>
