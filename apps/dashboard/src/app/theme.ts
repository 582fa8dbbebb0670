import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'

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

const systemFont =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif'

/** Shade 8, automatic contrast and this threshold pass WCAG AA in both themes (checked by axe). */
export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'petrol',
  primaryShade: 8,
  autoContrast: true,
  luminanceThreshold: 0.179,
  colors: { petrol, dark },
  cursorType: 'pointer',
  defaultRadius: 'md',
  radius: { md: '6px' },
  fontFamily: systemFont,
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
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 500, radius: 'sm' } },
    Modal: { defaultProps: { centered: true, radius: 'md' } },
    PasswordInput: { defaultProps: { autoComplete: 'off' } },
    Select: { defaultProps: { checkIconPosition: 'right' } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
})

/** The library's secondary texts are too faint for WCAG AA; these are not. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#55626a',
    '--mantine-color-placeholder': '#66737b',
    '--mantine-color-error': '#b42318',
    '--gatehouse-backdrop': '#f4f7f8',
    '--gatehouse-line': '#dde4e7',
  },
  dark: {
    '--mantine-color-dimmed': '#9dabb4',
    '--mantine-color-placeholder': '#8696a0',
    '--mantine-color-error': '#ff9a8f',
    '--gatehouse-backdrop': '#151d22',
    '--gatehouse-line': '#323e46',
  },
})
