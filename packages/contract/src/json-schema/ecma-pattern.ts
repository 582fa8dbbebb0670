/** White space and line ends of ECMA-262 (§12.2 and §12.3), which `\s` stands for. */
const space =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
/** The rest, in order: what a class can hold. */
const notSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

/** Names of general categories and what RE2 calls them; others are called alike. */
const categories = new Map(
  Object.entries({
    L: 'Letter',
    Lu: 'Uppercase_Letter',
    Ll: 'Lowercase_Letter',
    Lt: 'Titlecase_Letter',
    Lm: 'Modifier_Letter',
    Lo: 'Other_Letter',
    LC: 'Cased_Letter',
    M: 'Mark Combining_Mark',
    Mn: 'Nonspacing_Mark',
    Mc: 'Spacing_Mark',
    Me: 'Enclosing_Mark',
    N: 'Number',
    Nd: 'Decimal_Number digit',
    Nl: 'Letter_Number',
    No: 'Other_Number',
    P: 'Punctuation punct',
    Pc: 'Connector_Punctuation',
    Pd: 'Dash_Punctuation',
    Ps: 'Open_Punctuation',
    Pe: 'Close_Punctuation',
    Pi: 'Initial_Punctuation',
    Pf: 'Final_Punctuation',
    Po: 'Other_Punctuation',
    S: 'Symbol',
    Sm: 'Math_Symbol',
    Sc: 'Currency_Symbol',
    Sk: 'Modifier_Symbol',
    So: 'Other_Symbol',
    Z: 'Separator',
    Zs: 'Space_Separator',
    Zl: 'Line_Separator',
    Zp: 'Paragraph_Separator',
    C: 'Other',
    Cc: 'Control cntrl',
    Cf: 'Format',
    Co: 'Private_Use',
  }).flatMap(([short, names]) => names.split(' ').map((name) => [name, short] as const)),
)

const token =
  /\\[pP]\{([\w=]+)\}|\\c([A-Za-z])|\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|\\[^]|\[\^?|\]|[^]/giu

/**
 * A pattern of ECMA-262 (with the flag `u`) as RE2 writes it, where the two differ: `\s`, `.`, `\p{…}` by its long names, and
 * `\cX`.
 */
export function asRe2(pattern: string): string {
  let isInClass = false
  return pattern.replace(token, (piece: string, property?: string, ...rest: unknown[]) => {
    const [control, high, low] = rest as (string | undefined)[]
    if (property !== undefined) {
      const letter = piece[1] ?? 'p'
      // The one property that RE2 does not know by a name.
      if (property === 'ASCII') return asciiIn(isInClass, letter === 'P')
      return `\\${letter}{${re2Name(property)}}`
    }
    if (control !== undefined) return `\\x{${(control.charCodeAt(0) % 32).toString(16)}}`
    if (high !== undefined && low !== undefined) return `\\x{${pairOf(high, low)}}`
    if (piece === '\\k') throw new Error('A back reference.')
    if (piece === '\\b' && isInClass) return '\\x{8}'
    if (piece === '\\s') return isInClass ? space : `[${space}]`
    if (piece === '\\S') return isInClass ? notSpace : `[${notSpace}]`
    if (piece === '.' && !isInClass) return '[^\\n\\r\\x{2028}\\x{2029}]'
    if (piece.startsWith('[') && !isInClass) isInClass = true
    else if (piece === ']') isInClass = false
    else if (piece === '[' && isInClass) return '\\['
    return piece
  })
}

function asciiIn(isInClass: boolean, isNot: boolean): string {
  const range = isNot ? '\\x{80}-\\x{10ffff}' : '\\x{0}-\\x{7f}'
  return isInClass ? range : `[${range}]`
}

const pairOf = (high: string, low: string): string =>
  String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16))
    .codePointAt(0)!
    .toString(16)

function re2Name(name: string): string {
  const value = name.replace(/^(?:General_Category|gc|Script|sc|Script_Extensions|scx)=/, '')
  return categories.get(value) ?? value
}
