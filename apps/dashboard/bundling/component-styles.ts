import type { Plugin } from 'vite'

const library = '@mantine/core/styles'

/** Colours of the library that no screen uses. */
const unusedColors = /^\s*--mantine-color-(?:pink|violet|indigo|cyan|lime)-[\w-]+:[^;]*;/gm

/**
 * Gives every component of the library that is bundled its styles, in the chunk that holds the
 * component, so that a page loads the styles of what it shows and no others. Their layer keeps our own
 * rules stronger than theirs. The variables of toasts go to the toasts: on the root, a style sheet that comes
 * late makes the browser work out the styles of the whole page again. While developing, the library is not bundled: there all styles are loaded.
 */
export function componentStyles(): Plugin {
  let isBuild = true
  return {
    name: 'component-styles',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    transform: {
      filter: {
        id: [
          /@mantine\/core\/esm\/.*\.module\.mjs$/,
          /default-css-variables\.layer\.css$/,
          /src\/main\.tsx$/,
          /react-toastify\/dist\/index\.mjs$/,
        ],
      },
      handler(code, id) {
        if (id.endsWith('.css')) return code.replace(unusedColors, '')
        if (id.includes('react-toastify')) return code.replace(/:root(?= \{)/, '.Toastify')
        if (!id.endsWith('main.tsx'))
          return `${code}\nimport '${library}/${nameOf(id)}.layer.css'\n`
        return isBuild ? null : `import '${library}.layer.css'\n${code}`
      },
    },
  }
}

/** `Button` for `…/Button/Button.module.mjs`. */
const nameOf = (id: string) => id.slice(id.lastIndexOf('/') + 1, -'.module.mjs'.length)
