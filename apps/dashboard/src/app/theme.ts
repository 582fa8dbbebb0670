import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'
import { paletteVariables } from './palette.ts'

const petrol: MantineColorsTuple = [
  '#edf6f8',
  '#dceaee',
  '#b5d3dc',
  '#8bbac8',
  '#67a5b7',
  '#4f98ad',
  '#418fa6',
  '#327a8f',
  '#256a7e',
  '#145568',
]

// Cooler than the library's neutral greys, so that both themes belong to one family.
const dark: MantineColorsTuple = [
  '#d3dce1',
  '#b6c2c9',
  '#98a7b0',
  '#6d7d87',
  '#43515a',
  '#35424a',
  '#273239',
  '#1c252b',
  '#151d22',
  '#0e1518',
]

// Their last two shades are darker than the library's, which are too faint on their own tints.
const green: MantineColorsTuple = [
  '#ebf7ef',
  '#d6eede',
  '#b3dfc2',
  '#8acda1',
  '#62bb82',
  '#44a969',
  '#319457',
  '#277e49',
  '#1e693c',
  '#17542f',
]
const orange: MantineColorsTuple = [
  '#fdf2e6',
  '#fae5cd',
  '#f4cba0',
  '#eead6d',
  '#e69344',
  '#d97d24',
  '#bf6a18',
  '#a05712',
  '#84470e',
  '#6b390b',
]

const yellow: MantineColorsTuple = [
  '#fff9e3',
  '#fff0c2',
  '#ffe58f',
  '#ffdb61',
  '#ffd43b',
  '#f2c01c',
  '#cf9d0b',
  '#9a7307',
  '#6f5204',
  '#563f03',
]

const red: MantineColorsTuple = [
  '#fdf0ee',
  '#fadfdb',
  '#f5bdb6',
  '#f0988d',
  '#e9756a',
  '#e0564a',
  '#d33f33',
  '#c02f24',
  '#b02a20',
  '#8f2018',
]

// Ours first (`fonts.css`), then the families that each system draws best; `system-ui` is no text face on
// many Linux desktops.
const fonts =
  'Inter, "Noto Sans Arabic", -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif'

/** Shade 8, automatic contrast and this threshold pass WCAG AA in both themes (checked by axe). */
export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'petrol',
  primaryShade: 8,
  autoContrast: true,
  luminanceThreshold: 0.179,
  colors: { petrol, dark, green, orange, yellow, red },
  black: '#17212a',
  cursorType: 'pointer',
  respectReducedMotion: true,
  defaultRadius: 'md',
  radius: { md: '6px' },
  fontFamily: fonts,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.125rem', lineHeight: '1.4' },
      h2: { fontSize: '1.375rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  components: {
    Alert: { defaultProps: { variant: 'light' } },
    Badge: {
      defaultProps: { variant: 'light', tt: 'none', fw: 500, radius: 'sm' },
      // Beside a long text it is the text that gives way.
      styles: { root: { flexShrink: 0, verticalAlign: 'middle' } },
    },
    Modal: { defaultProps: { centered: true, radius: 'md' } },
    // The page keeps its scrollbar: to hide it, the library works out the styles of the whole page again.
    ModalRoot: { defaultProps: { removeScrollProps: { removeScrollBar: false } } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': 'Show what was typed' },
      },
    },
    Select: {
      defaultProps: {
        checkIconPosition: 'right',
        // The focus alone, which a refused form moves here, opens nothing.
        openOnFocus: false,
        // In place, within the page's landmarks; the list itself scrolls.
        comboboxProps: { withinPortal: false },
        withScrollArea: false,
        styles: { options: { maxHeight: 240, overflowY: 'auto' } },
      },
    },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
})

/** Nothing is derived: each theme has its own colours. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: paletteVariables('light'),
  dark: paletteVariables('dark'),
})
