import { createElement, Fragment, type ReactNode } from 'react'
import { fillIn, type Translation } from './fill-in.ts'

/** The languages of the dashboard, each under the name that its readers call it by. */
export const languages = { en: 'English', ar: 'العربية' } as const
export type Language = keyof typeof languages

/** Where `early.js` finds what was chosen, before anything is painted. */
const key = 'gatehouse-language'

/**
 * The language of this page, for as long as it is open: another one begins with a page loaded again. The
 * texts of modules are looked up once, when they are loaded.
 */
export const language: Language = document.documentElement.lang === 'ar' ? 'ar' : 'en'

export const direction = language === 'ar' ? 'rtl' : 'ltr'

/**
 * What dates, numbers and names of languages are written in. Arabic keeps the digits 0 to 9: numbers are
 * compared with documents, logs and answers of authorities, which have these. An English page follows
 * the browser: it may write dates as in another country.
 */
export const locale =
  language === 'ar' ? 'ar-u-nu-latn' : navigator.language.startsWith('ar') ? 'en' : undefined

/** Keeps the choice in this browser, and shows the page in it. */
export function showLanguage(chosen: Language): void {
  localStorage.setItem(key, chosen)
  // A browser that keeps nothing would load the page again and again.
  if (chosen !== language && localStorage.getItem(key) === chosen) location.reload()
}

/**
 * A text in the language of the page, with its values filled in. A text without a translation stays
 * English. The build writes the calls: `bundling/texts` finds the texts in the source.
 */
export function __text(text: string, ...values: unknown[]): string {
  const translation = globalThis.gatehouseTexts?.[text]
  // A text that is not shown to people, such as a header, stays as it is to the letter.
  if (translation === undefined) return fillIn(text, language, values, String).join('')
  return fillIn(translation, language, values, isolated).join('')
}

/** The same for a text with elements in it. */
export function __nodes(text: string, ...values: ReactNode[]): ReactNode {
  return createElement(
    Fragment,
    null,
    ...fillIn(globalThis.gatehouseTexts?.[text] ?? text, language, values, bdi),
  )
}

const needsIsolation = (value: unknown): value is string =>
  language === 'ar' && typeof value === 'string' && /[A-Za-z]/.test(value)

/** A name in Latin letters keeps its direction within a sentence (first strong isolate, UAX #9). */
const isolated = (value: unknown) =>
  needsIsolation(value) ? `\u2068${value}\u2069` : String(value)

const bdi = (value: ReactNode): ReactNode =>
  needsIsolation(value) ? createElement('bdi', null, value) : value

/**
 * Loads the texts of the screens behind the login, where the page has begun without them.
 *
 * @throws {Error} where they could not be loaded.
 */
export async function loadMoreTexts(): Promise<void> {
  const src = globalThis.gatehouseMoreTexts
  if (src !== undefined) await loadScript(src)
  globalThis.gatehouseMoreTexts = undefined
}

let sentences: Promise<void> | undefined

/** Loads what the server says behind the login, once. Where that fails, its sentences stay English. */
export async function loadSentences(): Promise<void> {
  const src = globalThis.gatehouseSentences
  if (src === undefined) return
  await (sentences ??= loadScript(src).catch(() => undefined))
  globalThis.gatehouseSentences = undefined
}

async function loadScript(src: string): Promise<void> {
  await new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => reject(new Error('The texts could not be loaded.')))
    script.src = src
    document.head.append(script)
  })
}

declare global {
  /** The translations that are loaded; none for English. */
  var gatehouseTexts: Record<string, Translation> | undefined
  /** The file of the texts that are not loaded yet. */
  var gatehouseMoreTexts: string | undefined
  /** The file of what the server says, until it is loaded; the texts behind the login name it. */
  var gatehouseSentences: string | undefined
}
