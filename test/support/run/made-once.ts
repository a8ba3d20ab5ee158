// What several tests of a file need and none of them changes: it is made for the first that asks, and shared.

export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}
