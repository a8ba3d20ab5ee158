// The address from which calendar programs fetch a feed. The token in it is the secret.

export const feedPath = '/feeds'
export const feedEnding = '.ics'

/** `base` is where people reach the installation: `https://prices.example`. */
export function feedAddress(base: string, token: string): string {
  return `${base}${feedPath}/${token}${feedEnding}`
}
