import { lazyPart } from '../../lib/page/lazy-part.tsx'

// Loaded when they are shown: most tokens are for programs.

export const AgentScope = lazyPart(async () => (await import('./agent-scope.tsx')).AgentScope)
export const AgentConnection = lazyPart(
  async () => (await import('./agent-connection.tsx')).AgentConnection,
)
export const ToolCallsCard = lazyPart(
  async () => (await import('../../entities/token/tool-calls.tsx')).ToolCallsCard,
)
