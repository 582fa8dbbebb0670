import { locale } from './language.ts'

/**
 * Writes moments in the reader's language and time zone. The browser's format is made when the first moment is
 * written: the first of a page takes tens of milliseconds on a slow machine, and many screens show none.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions): (moment: Date) => string {
  let format: Intl.DateTimeFormat | undefined
  return (moment) => (format ??= new Intl.DateTimeFormat(locale, options)).format(moment)
}
