// What starts and keeps the workers; it runs in the parent process and carries no traffic itself.
export { traceHeader, traceHeaderName } from '../trace/trace-signature.ts'
export { lentMs } from '../trace/unsaved-endpoints.ts'
export type { ReportMessage, TraceMessage } from '../messages/report-messages.ts'
export type { WorkerSettings } from '../messages/worker-settings.ts'
export { Fleet } from './fleet.ts'
export type { FleetOptions, FleetWorker } from './fleet-options.ts'
export { SnapshotFile, type Seal } from './snapshot-file.ts'
export { workerDefaults } from '../messages/worker-settings.ts'
