// The server's secrets as a file or ASSIZE_SECRET lists them: with spaces or lines between.

interface SecretBounds {
  /** Of each, at least. */
  readonly bytes: number
  readonly most: number
}

/** Each once, in their order. Null where there is none, there are too many, or one of them is too short. */
export function readSecrets(text: string, { bytes, most }: SecretBounds): readonly string[] | null {
  const secrets = [...new Set(text.split(/\s+/).filter(each => each !== ''))]
  const isEachLong = secrets.every(each => new TextEncoder().encode(each).length >= bytes)
  return secrets.length > 0 && secrets.length <= most && isEachLong ? secrets : null
}
