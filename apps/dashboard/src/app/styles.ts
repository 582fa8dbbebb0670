// Those of the components of the library come with the components (`bundling/component-styles.ts`).
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import './fonts.css'
import './global.css'
