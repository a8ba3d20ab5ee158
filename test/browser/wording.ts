// Slips of the pen that no page may have, whatever it shows: two full stops after a name that ends with one, and one of something
// in the plural.
import type { Page } from 'playwright-core'

/** The plural of these is the singular, or they are no nouns. */
const alike = /^(?:series|is|was|has|does|less|minus|plus|times|this|as|years|months|days|weeks)$/

export async function findSlips(page: Page): Promise<string[]> {
  const text = (await page.evaluate('document.body.innerText')) as string
  const stops = text.match(/.{0,30}\p{L}\.\.(?!\.).{0,10}/gu) ?? []
  const ones = [...text.matchAll(/(?<![\d.,:%/+−–-][ \u202f\u00a0]?|\d)\b1[ \u00a0](\p{Ll}+s)\b(?!\/)/gu)]
  return [
    ...stops.map(found => `two full stops: ${found}`),
    ...ones.filter(([, noun]) => !alike.test(noun!)).map(([found]) => `one in the plural: ${found}`),
  ]
}
