import { isDeepStrictEqual } from 'node:util'
import {
  defaultRunSettings,
  noTransformation,
  noValidation,
  storedRunSettings,
  storedTransformation,
  storedValidation,
  storedWebSocket,
} from '@gatehouse/contract'
import type {
  AgentOffer,
  EndpointDefinition,
  EndpointParameter,
  NamedValue,
  RunSettings,
} from '@gatehouse/contract'
import { readHeaders, writeHeaders } from '../../db/static-headers.ts'
import type { NewRow, Row } from '../../db/tables.ts'
import { readTags, tagsColumn } from '../../db/tags.ts'

type EndpointColumns = Omit<NewRow<'endpoint'>, 'id' | 'version' | 'created_at' | 'updated_at'>

export const pathKey = (path: string) => path.replace(/\{\w+\}/g, '{}')

/** The columns of a definition. Run settings that it does not name stay as they are stored. */
export function toColumns(definition: EndpointDefinition, stored?: Row<'endpoint'>) {
  const { run_settings } = definition
  return {
    api_id: definition.api_id,
    method_type: definition.method_type,
    status: definition.status,
    path: definition.path,
    path_key: pathKey(definition.path),
    summary: definition.summery,
    description: definition.description,
    custom_output: definition.enable_custom_output ? definition.custom_output : null,
    authentication: writeAuthentication(definition.authentication, stored?.authentication),
    static_headers: writeHeaders(definition.static_headers, stored?.static_headers),
    parameters: writeParameters(definition.parameters, stored?.parameters),
    validation: writeParts(definition.validation, stored?.validation, noValidation),
    transformation: writeParts(definition.transformation, stored?.transformation, noTransformation),
    web_socket: writeParts(definition.web_socket, stored?.web_socket, null),
    tags: tagsColumn(definition.tags, stored?.tags),
    answer_timeout_ms: givenOr(definition.answer_timeout_ms, stored?.answer_timeout_ms),
    ...toolColumns(definition, stored),
    run_settings: run_settings ? JSON.stringify(run_settings) : (stored?.run_settings ?? null),
    status_endpoint_id: run_settings
      ? (run_settings.status_query?.endpoint_id ?? null)
      : (stored?.status_endpoint_id ?? null),
  } satisfies Required<EndpointColumns>
}

/** Absent keeps what is stored, and so does a blank name: it is given once. */
function toolColumns(
  { agent_offer, tool_name, tool_description, agent_release_hours }: EndpointDefinition,
  stored?: Row<'endpoint'>,
) {
  const offer = agent_offer === 'as_api' ? null : agent_offer
  return {
    agent_offer: offer === undefined ? (stored?.agent_offer ?? null) : offer,
    tool_name: tool_name || (stored?.tool_name ?? null),
    tool_description:
      tool_description === undefined
        ? (stored?.tool_description ?? null)
        : tool_description || null,
    agent_release_hours: givenOr(agent_release_hours, stored?.agent_release_hours),
  }
}

/** Absent keeps what is stored. */
const givenOr = (given: number | null | undefined, stored: number | null | undefined) =>
  given === undefined ? (stored ?? null) : given

/** Absent keeps what is stored; a new endpoint is open only where somebody says so. */
function writeAuthentication(given: boolean | undefined, stored: 0 | 1 | undefined): 0 | 1 {
  return given === undefined ? (stored ?? 1) : given ? 1 : 0
}

/** Absent keeps what is stored. */
function writeParameters(
  given: readonly EndpointParameter[] | null | undefined,
  stored: string | null | undefined,
): string | null {
  if (given === undefined) return stored ?? null
  return given === null || given.length === 0 ? null : JSON.stringify(given)
}

/** Absent keeps what is stored; what says nothing is null. */
function writeParts<T extends object>(
  given: T | null | undefined,
  stored: string | null | undefined,
  none: T | null,
): string | null {
  if (given === undefined) return stored ?? null
  return given === null || isDeepStrictEqual(given, none) ? null : JSON.stringify(given)
}

/** Throws where it can't be read. */
export const validationOf = ({ validation }: Pick<Row<'endpoint'>, 'validation'>) =>
  validation === null ? null : storedValidation.parse(JSON.parse(validation))

/** Throws where it can't be read. */
export const transformationOf = ({ transformation }: Pick<Row<'endpoint'>, 'transformation'>) =>
  transformation === null ? null : storedTransformation.parse(JSON.parse(transformation))

/** Throws where it can't be read. */
export const webSocketOf = ({ web_socket }: Pick<Row<'endpoint'>, 'web_socket'>) =>
  web_socket === null ? null : storedWebSocket.parse(JSON.parse(web_socket))

/** The parameters of a stored endpoint, as `writeParameters` wrote them. */
export const parametersOf = ({ parameters }: Pick<Row<'endpoint'>, 'parameters'>) =>
  parameters === null ? [] : (JSON.parse(parameters) as EndpointParameter[])

/**
 * A definition as it is stored. Its run settings, parameters, validation, transformation, WebSockets and tags are
 * read separately: lists hold a thousand endpoints.
 */
interface StoredEndpoint extends Required<
  Omit<
    EndpointDefinition,
    | 'agent_offer'
    | 'agent_release_hours'
    | 'answer_timeout_ms'
    | 'parameters'
    | 'run_settings'
    | 'static_headers'
    | 'tags'
    | 'tool_description'
    | 'transformation'
    | 'validation'
    | 'version'
    | 'web_socket'
  >
> {
  /** Undefined where it can't be read. */
  static_headers: NamedValue[] | undefined
  agent_offer: AgentOffer
  tool_description: string
  agent_release_hours: number | null
  answer_timeout_ms: number | null
}

/** The definition of a row. Everything that shows, restores or publishes an endpoint starts from it. */
export function fromColumns(row: Row<'endpoint'>): StoredEndpoint {
  return {
    api_id: row.api_id,
    method_type: row.method_type,
    status: row.status,
    path: row.path,
    summery: row.summary,
    description: row.description,
    enable_custom_output: row.custom_output !== null,
    custom_output: row.custom_output ?? '',
    authentication: row.authentication === 1,
    auth_type: row.authentication === 1 ? 'bearer_token' : '',
    static_headers: readHeaders(row.static_headers),
    agent_offer: row.agent_offer ?? 'as_api',
    tool_name: row.tool_name ?? '',
    tool_description: row.tool_description ?? '',
    agent_release_hours: row.agent_release_hours,
    answer_timeout_ms: row.answer_timeout_ms,
  }
}

/**
 * The run settings of a stored endpoint. Settings that an earlier release stored get
 * defaults for the fields that it did not have.
 */
export function runSettingsOf(row: Pick<Row<'endpoint'>, 'run_settings'>): RunSettings {
  return row.run_settings === null
    ? defaultRunSettings
    : storedRunSettings.parse(JSON.parse(row.run_settings))
}

/** wire (spec: endpoint): the definition as forms have it, with flags as 0 or 1. */
export function toSubmittedEndpoint(row: Row<'endpoint'>) {
  const { enable_custom_output, authentication, ...same } = fromColumns(row)
  return {
    ...same,
    enable_custom_output: enable_custom_output ? 1 : 0,
    authentication: authentication ? 1 : 0,
    static_headers: same.static_headers ?? [],
    parameters: parametersOf(row),
    validation: validationOf(row),
    transformation: transformationOf(row),
    web_socket: webSocketOf(row),
    tags: readTags(row.tags),
    run_settings: runSettingsOf(row),
  } as const
}
