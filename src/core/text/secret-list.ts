// The list of the server's secrets in a file or ASSIZE_SECRET, with spaces or lines between.

interface SecretBounds {
  /** The least number of bytes of each. */
  readonly bytes: number
  readonly most: number
}

/** Secrets in their order, each once. Null where there is none, there are too many, or one of them is too short. */
export function readSecrets(text: string, { bytes, most }: SecretBounds): readonly string[] | null {
  const secrets = [...new Set(text.split(/\s+/).filter(each => each !== ''))]
  const isEachLong = secrets.every(each => new TextEncoder().encode(each).length >= bytes)
  return secrets.length > 0 && secrets.length <= most && isEachLong ? secrets : null
}
