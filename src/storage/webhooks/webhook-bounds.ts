// Bounds of webhooks that people meet, and of their stored data.

export const webhookBounds = {
  /** Webhooks of a workspace that are enabled, and all that are kept. */
  each: 50,
  kept: 500,
  urlLength: 500,
  /** Hours that the old secret signs as well. */
  overlapHours: 24,
  /** Days for which deliveries are kept, whatever became of them. */
  keptDays: 30,
  /** Deliveries that a page or a command lists, and that are sent again at a time. */
  listed: 100,
  replayed: 10_000,
} as const
