export { startServer, type RunningServer, type StartOptions } from './start.ts'
export type { FirstAdministrator } from './features/session/first-administrator.ts'
export { startGatewayNode } from './gateway-node/start-gateway-node.ts'
export { untilDatabaseAnswers } from './db/postgres/until-answer.ts'
export { openStartingPort, type StartingPort } from './upgrade/starting-port.ts'
export { readSettings, readTls, SettingError, type Settings } from './settings/settings.ts'
export {
  DatabaseAwayError,
  findAppKey,
  openDataDir,
  StartError,
  type DataDir,
} from './settings/data-dir.ts'
export type { PartEnds } from './kernel/http/part-ends.ts'
export { createSecretBox, createTwoKeyBox } from './kernel/secret-box.ts'
export type {
  GatewayLink,
  GatewayReport,
  GatewayToken,
  GatewayTrace,
  PublishResult,
  SeenProcedure,
  StartedTrace,
  TriedAs,
} from './publishing/gateway-link.ts'
