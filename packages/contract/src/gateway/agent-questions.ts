/** What an agent asks of which a worker knows nothing: the workflows of its token, and their runs. */
export interface AgentQuestion {
  /** The personal token that was shown. */
  token: string
  /** Of the client. */
  address: string
  /** What the client calls itself. */
  agent: string
  requestId: string
  traceparent: string | null
  /** Null: which tools there are. */
  tool: string | null
  /** The message in which the tool is called, as it came: numbers are exact. */
  message: string
  /** The call of an endpoint's tool, to be stored until a person releases it. */
  held?: HeldCall
}

/** A request as it would go upstream, without the credential and the headers that the API adds. */
export interface HeldCall {
  endpoint_id: number
  method: string
  /** Path and query behind the address of the API. */
  target: string
  headers: [name: string, value: string][]
  /** Null: none. */
  body: string | null
}

export interface WorkflowTool {
  name: string
  /** As `tools/list` shows it, as JSON. */
  listed: string
}

export type AgentReply =
  | { what: 'tools'; tools: WorkflowTool[] }
  | {
      what: 'result'
      texts: string[]
      structured: string | null
      isError: boolean
      /** The run waits for its release. */
      isWaiting?: boolean
    }
  /** This token has no such tool. */
  | { what: 'unknown' }

/** The names of tools that the control plane answers. An endpoint whose tool has such a name goes first. */
export const isWorkflowTool = (name: string): boolean =>
  name === statusTool || name.startsWith(workflowPrefix)
export const workflowPrefix = 'workflow_'
export const statusTool = 'run_status'
