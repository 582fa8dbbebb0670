// `node --watch` for `npm run dev`. The watching process loads none of our code, so it would not notice
// that the launcher is gone (end-with-parent.mjs). This process does, and ends their group.

import { spawn } from 'node:child_process'

const watcher = spawn(process.execPath, ['--watch', ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => watcher.kill(signal))
}
watcher.on('exit', (code) => process.exit(code ?? 1))
