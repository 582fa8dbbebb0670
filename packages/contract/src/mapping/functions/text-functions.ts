import { areSame, toText, toWhole } from './arguments.ts'
import { base64, hex, utf8 } from './bytes-text.ts'
import { formatDate } from './format-date.ts'
import type { MappingFunction } from './mapping-function.ts'
import { sha256 } from './sha256.ts'
import { ValueFault } from './value-fault.ts'

const many = 1000

export const textFunctions: readonly MappingFunction[] = [
  {
    name: 'concat',
    usage: 'concat(a, b, …)',
    words: 'The texts one after the other',
    least: 1,
    most: many,
    apply: (args) => args.map(toText).join(''),
  },
  {
    name: 'substring',
    usage: 'substring(text, start, length)',
    words:
      'Part of a text. start counts from 0, or from the end if negative; length may be left out',
    least: 2,
    most: 3,
    apply([text, start, length]) {
      const characters = [...toText(text)]
      const from = toWhole(start, -1_000_000_000, 1_000_000_000)
      const first = from < 0 ? Math.max(characters.length + from, 0) : from
      const count = length === undefined ? characters.length : toWhole(length, 0, 1_000_000_000)
      return characters.slice(first, first + count).join('')
    },
  },
  {
    name: 'upper',
    usage: 'upper(text)',
    words: 'In upper case',
    least: 1,
    apply: ([text]) => toText(text).toUpperCase(),
  },
  {
    name: 'lower',
    usage: 'lower(text)',
    words: 'In lower case',
    least: 1,
    apply: ([text]) => toText(text).toLowerCase(),
  },
  {
    name: 'date_format',
    usage: 'date_format(date, pattern, zone)',
    words:
      'A date or time by a pattern like "dd.MM.yyyy HH:mm"; zone, like "+03:00", may be left out',
    least: 2,
    most: 3,
    apply([date, pattern, zone = '']) {
      const formatted = formatDate(toText(date), toText(pattern), toText(zone))
      if (formatted.ok) return formatted.text
      throw new ValueFault(formatted.message)
    },
  },
  {
    name: 'lookup',
    usage: 'lookup(value, key, result, …)',
    words: 'The result beside the key that equals the value',
    least: 3,
    most: many,
    check: (count) =>
      count % 2 === 1 ? undefined : 'lookup takes a value, and then pairs of key and result.',
    apply([value, ...pairs]) {
      const at = pairs.findIndex((key, index) => index % 2 === 0 && areSame(value, key))
      return at === -1 ? undefined : pairs[at + 1]
    },
    nothing: 'finds no key that equals its value',
  },
  {
    name: 'base64',
    usage: 'base64(text)',
    words: 'The bytes of the text (UTF-8) in Base64',
    least: 1,
    apply: ([text]) => base64(utf8(toText(text))),
  },
  {
    name: 'sha256',
    usage: 'sha256(text, form)',
    words: 'The SHA-256 of the text (UTF-8), in "hex" or "base64"; without form in hex',
    least: 1,
    most: 2,
    apply([text, form = 'hex']) {
      const digest = sha256(utf8(toText(text)))
      if (form === 'hex') return hex(digest)
      if (form === 'base64') return base64(digest)
      throw new ValueFault('the form is "hex" or "base64".')
    },
  },
]
