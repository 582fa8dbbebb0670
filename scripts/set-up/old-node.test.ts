import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { root } from '../lib/places.mjs'
import { toolPath } from '../lib/tool-path.mjs'

const asNode18 =
  '--ignoreConfig --noEmit --allowJs --checkJs --skipLibCheck --strict false --types node --lib es2022 --target es2022 --module nodenext'

// `npm start` and its like begin on the Node of the machine, 18 or newer, before the pinned one is installed.
it('what run.mjs loads calls nothing that Node 18 lacks', () => {
  const parameters = [toolPath('typescript', 'tsc'), ...asNode18.split(' '), 'scripts/run.mjs']
  const { stdout } = spawnSync(process.execPath, parameters, { cwd: root, encoding: 'utf8' })
  expect(stdout).toBe('')
})
