import { workerDefaults } from '../messages/worker-settings.ts'

/** What a gateway without a control plane is started with: it trusts no proxy, and may call every address. */
export const bareWorker = {
  ...workerDefaults,
  internalNetworks: [] as string[],
  trustedProxies: [],
  upstreamAllow: [],
  upstreamDeny: [],
  ownAddresses: [],
  worker: 1,
  dataDir: null,
  logLevel: 'info' as const,
}
