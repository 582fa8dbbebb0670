/** Stands for the decimal point: in a word of the index nothing but letters and digits counts. */
export const decimalPoint = '\u{e001}'

const digitsMax = 30
const grouped = (separator: string) => new RegExp(`^\\d{1,3}(\\${separator}\\d{3})+$`)
const thousands = { ',': grouped(','), '.': grouped('.'), "'": grouped("'") }

/**
 * A number in its only form: `1250`, `1,250.00` and `1.250,00` are the same. Undefined for what is no
 * number, and for digits that begin with 0 or are too many: those are kept as they are.
 */
export function numberForm(text: string): string | undefined {
  const plain = text.replaceAll('٬', ',').replaceAll('٫', '.').replaceAll('’', "'")
  if (!/^\d[\d.,']*$/.test(plain) || plain.length > digitsMax) return undefined
  const [whole, fraction] = partsOf(plain)
  if (whole === undefined || (whole.length > 1 && whole.startsWith('0'))) return undefined
  const digits = fraction.replace(/0+$/, '')
  return digits === '' ? whole : `${whole}${decimalPoint}${digits}`
}

/** Digits before and after the decimal point. */
function partsOf(text: string): [whole: string | undefined, fraction: string] {
  if (/^\d+$/.test(text)) return [text, '']
  const at = text.search(/[.,]\d*$/)
  if (at >= 0) {
    const mark = text[at]
    const before = text.slice(0, at)
    const isOnly = text.indexOf(mark ?? '') === at
    // `1,250` has thousands; `1.250` is a decimal number, as JSON writes it.
    const isThousands = mark === ',' && thousands[','].test(text) && !before.includes('.')
    if (isOnly && !isThousands && isWhole(before)) return [digitsOf(before), text.slice(at + 1)]
  }
  return isWhole(text) ? [digitsOf(text), ''] : [undefined, '']
}

const isWhole = (text: string) =>
  /^\d+$/.test(text) || Object.values(thousands).some((pattern) => pattern.test(text))

const digitsOf = (text: string) => text.replace(/\D/g, '')
