export { startServer, type RunningServer } from './start.ts'
export { readSettings, SettingError, type Settings } from './settings.ts'
export { StartError } from './data-dir.ts'
