// Both themes, colour by colour. `palette.test.ts` holds each pair of text and ground to WCAG AA.

export type Scheme = 'light' | 'dark'

interface Surfaces {
  /** Behind everything. */
  backdrop: string
  /** Cards, tables, fields. */
  body: string
  /** A row under the pointer, or one that is selected. */
  hover: string
  /** The entry of the menu that one is at. */
  tint: string
  /** Between cards, rows and columns. */
  line: string
  /** Where a column stays in sight and others go under it. */
  edge: string
}

interface Texts {
  text: string
  dimmed: string
  placeholder: string
  anchor: string
  error: string
}

export const surfaces: Record<Scheme, Surfaces> = {
  light: {
    backdrop: '#f4f7f8',
    body: '#ffffff',
    hover: '#f2f7f8',
    tint: '#e1edf1',
    line: '#dde4e7',
    edge: 'rgb(23 33 42 / 14%)',
  },
  dark: {
    backdrop: '#12191e',
    body: '#1b242a',
    hover: '#222d34',
    tint: '#263942',
    line: '#33404a',
    edge: 'rgb(0 0 0 / 55%)',
  },
}

export const texts: Record<Scheme, Texts> = {
  light: {
    text: '#17212a',
    dimmed: '#52606a',
    placeholder: '#5d6a72',
    anchor: '#1b6076',
    error: '#b42318',
  },
  dark: {
    text: '#dbe3e8',
    dimmed: '#a0aeb7',
    placeholder: '#94a3ad',
    anchor: '#84c4d6',
    error: '#ff9a8f',
  },
}

/** What badges, alerts and quiet buttons are painted with: ground, the same under the pointer, text. */
type Tint = [ground: string, hover: string, text: string]

export const tints: Record<Scheme, Record<string, Tint>> = {
  light: {
    petrol: ['#e0eef2', '#cfe4ea', '#175a6e'],
    green: ['#e0f3e7', '#cfebda', '#17613a'],
    orange: ['#fdefde', '#fae2c6', '#84450c'],
    yellow: ['#fff4cc', '#ffeba6', '#6a4d03'],
    blue: ['#e3effb', '#d1e4f8', '#1a5596'],
    red: ['#fce8e5', '#f9d8d3', '#a3241a'],
    gray: ['#ecf0f2', '#dfe5e8', '#4a565e'],
    cyan: ['#def3f6', '#cbebf0', '#0b5f6b'],
    grape: ['#f6e8fa', '#eed8f5', '#7c2d92'],
  },
  dark: {
    petrol: ['#1f3d47', '#264a56', '#a3d4e2'],
    green: ['#1c3d2b', '#234a34', '#9fdcb5'],
    orange: ['#45301a', '#533a20', '#f2bf8c'],
    yellow: ['#423813', '#504418', '#f4d673'],
    blue: ['#1d3650', '#244261', '#a6cdf5'],
    red: ['#4a2521', '#5a2d28', '#f7b3ab'],
    gray: ['#323d44', '#3c4850', '#c6d0d6'],
    cyan: ['#163f46', '#1c4c54', '#92dbe6'],
    grape: ['#412849', '#4e3058', '#e3b3ef'],
  },
}

/** As the variables of the library and of ours. */
export function paletteVariables(scheme: Scheme): Record<string, string> {
  const { backdrop, body, hover, tint, line, edge } = surfaces[scheme]
  const { text, dimmed, placeholder, anchor, error } = texts[scheme]
  const variables: Record<string, string> = {
    '--mantine-color-body': body,
    '--mantine-color-text': text,
    '--mantine-color-dimmed': dimmed,
    '--mantine-color-placeholder': placeholder,
    '--mantine-color-anchor': anchor,
    '--mantine-color-error': error,
    '--gatehouse-backdrop': backdrop,
    '--gatehouse-line': line,
    '--gatehouse-hover': hover,
    '--gatehouse-tint': tint,
    '--gatehouse-edge': edge,
  }
  for (const [color, [ground, hovered, words]] of Object.entries(tints[scheme])) {
    variables[`--mantine-color-${color}-light`] = ground
    variables[`--mantine-color-${color}-light-hover`] = hovered
    variables[`--mantine-color-${color}-light-color`] = words
  }
  return variables
}
