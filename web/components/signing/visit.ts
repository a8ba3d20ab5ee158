// Request that somebody signs at their identity provider, remembered by the browser tab from the page they come back to until the
// page they left signs it.

const place = 'assize-signing'

export function rememberVisit(id: string): void {
  sessionStorage.setItem(place, id)
}

export function rememberedVisit(): string | null {
  return sessionStorage.getItem(place)
}

export function forgetVisit(): void {
  sessionStorage.removeItem(place)
}
