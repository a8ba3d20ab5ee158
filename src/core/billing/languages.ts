// The languages in which notes and adjustments are printed.

export const languages = ['en', 'de', 'fr'] as const
export type Language = (typeof languages)[number]

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'German', fr: 'French' }

export function asLanguage(text: string | null | undefined): Language | null {
  return languages.find(each => each === text) ?? null
}
