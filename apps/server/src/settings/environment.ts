// What the parts of a server need before, or without, the control plane: settings, the data folder, keys. It loads
// neither the framework nor a database driver.
export { findAppKey, joinDataDir, StartError, type DataDir } from './data-dir.ts'
export { createTwoKeyBox } from '../kernel/secret-box.ts'
export { ownAddresses } from '../http/own-addresses.ts'
export { readSettings, readTls, SettingError, type Settings } from './settings.ts'
