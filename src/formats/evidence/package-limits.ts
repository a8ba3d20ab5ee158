// Bounds on an evidence package where it is read: more than any that is made here, and little enough to be held in memory.

export const packageLimits = {
  /** Bytes of the archive, and of all its files unpacked. A package made here has at most 60 million characters. */
  bytes: 200_000_000,
  files: 20_000,
  /** Bytes of a path. */
  pathLength: 400,
  /** Bytes of the manifest, which is read before anything else is unpacked. */
  manifestBytes: 20_000_000,
} as const
