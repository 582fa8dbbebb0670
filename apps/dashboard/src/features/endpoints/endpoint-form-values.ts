import type { UseFormReturnType } from '@mantine/form'
import type {
  EndpointRecord,
  EndpointTransformation,
  EndpointValidation,
} from '@gatehouse/contract'
import { formatExactBytes } from '../../lib/format/format-bytes.ts'
import type { FormValues } from '../../lib/forms/form-values.ts'
import type { NamedValue } from '../../ui/text/named-values.tsx'
import type { EndpointInput } from './endpoint-queries.ts'
import {
  defaultRunSettingsDraft,
  isSameRunSettings,
  toRunSettingsDraft,
  toRunSettingsInput,
  type RunSettingsDraft,
} from './run-settings/run-settings-draft.ts'

/** The form's fields under their wire names (spec: entities); the two toggles as booleans. */
export type EndpointFormValues = FormValues<
  // The form does not show the parameters, and a save without them keeps what is stored.
  Omit<EndpointInput, 'version' | 'parameters'>,
  {
    run_settings: RunSettingsDraft
    static_headers: NamedValue[]
    tags: string[]
    validation: EndpointValidation
    transformation: EndpointTransformation
    web_socket: WebSocketValues
  }
>

/** The switch, and the bounds as they are typed. */
interface WebSocketValues {
  is_on: boolean
  idle_seconds: string
  life_seconds: string
  max_message_bytes: string
}

export type EndpointFormState = UseFormReturnType<EndpointFormValues>

/** As the contract has both, whose code is not loaded here. */
const noTransformation: EndpointTransformation = {
  request_rules: '',
  request_body: '',
  answer_rules: '',
  answer_body: '',
}

const noValidation: EndpointValidation = {
  mode: 'off',
  parameters_schema: '',
  body_schema: '',
  is_body_required: false,
  answer_schema: '',
  is_mocked: false,
}

const noWebSocket: WebSocketValues = {
  is_on: false,
  idle_seconds: '300',
  life_seconds: '',
  max_message_bytes: '1 MiB',
}

export const newEndpointValues: EndpointFormValues = {
  method_type: 'get',
  status: 'active',
  api_id: '',
  path: '',
  summery: '',
  description: '',
  enable_custom_output: false,
  custom_output: '',
  authentication: true,
  auth_type: 'bearer_token',
  static_headers: [],
  tags: [],
  validation: noValidation,
  transformation: noTransformation,
  web_socket: noWebSocket,
  answer_timeout_ms: '',
  agent_offer: 'as_api',
  tool_name: '',
  tool_description: '',
  agent_release_hours: '',
  run_settings: defaultRunSettingsDraft,
}

export function toEndpointValues(endpoint: EndpointRecord): EndpointFormValues {
  return {
    method_type: endpoint.method_type,
    status: endpoint.status,
    api_id: String(endpoint.api.id),
    path: endpoint.path,
    summery: endpoint.summery,
    description: endpoint.description,
    enable_custom_output: endpoint.enable_custom_output === 1,
    custom_output: endpoint.custom_output,
    authentication: endpoint.authentication === 1,
    auth_type: endpoint.auth_type === '' ? newEndpointValues.auth_type : endpoint.auth_type,
    static_headers: endpoint.static_headers,
    tags: endpoint.tags,
    validation: endpoint.validation ?? noValidation,
    transformation: endpoint.transformation ?? noTransformation,
    web_socket: toWebSocketValues(endpoint),
    answer_timeout_ms: String(endpoint.answer_timeout_ms ?? ''),
    agent_offer: endpoint.agent_offer,
    tool_name: endpoint.tool_name,
    tool_description: endpoint.tool_description,
    agent_release_hours: String(endpoint.agent_release_hours ?? ''),
    run_settings: toRunSettingsDraft(endpoint.run_settings),
  }
}

function toWebSocketValues({ web_socket }: EndpointRecord): WebSocketValues {
  if (web_socket === null) return noWebSocket
  const { idle_seconds, life_seconds, max_message_bytes } = web_socket
  return {
    is_on: true,
    idle_seconds: String(idle_seconds),
    life_seconds: life_seconds === null ? '' : String(life_seconds),
    max_message_bytes: formatExactBytes(max_message_bytes),
  }
}

type Stored = Pick<
  EndpointFormValues,
  | 'static_headers'
  | 'tags'
  | 'validation'
  | 'transformation'
  | 'web_socket'
  | 'answer_timeout_ms'
  | 'agent_offer'
  | 'tool_name'
  | 'tool_description'
  | 'agent_release_hours'
  | 'run_settings'
>

/**
 * wire (spec: entities): flags as 0 or 1, the output blank while it is off, no auth type on create. Static
 * headers, tags, validation, transformation, WebSocket, the time-out, the offer to agents and run settings are sent only if they differ
 * from the stored ones.
 */
export function toEndpointInput(
  values: EndpointFormValues,
  stored: Stored = newEndpointValues,
): EndpointInput {
  const {
    auth_type: _,
    static_headers,
    tags,
    validation,
    transformation,
    web_socket,
    answer_timeout_ms,
    agent_offer,
    tool_name,
    tool_description,
    agent_release_hours,
    run_settings,
    ...rest
  } = values
  return {
    ...rest,
    enable_custom_output: values.enable_custom_output ? 1 : 0,
    custom_output: values.enable_custom_output ? values.custom_output : '',
    authentication: values.authentication ? 1 : 0,
    ...(isSame(static_headers, stored.static_headers) ? {} : { static_headers }),
    ...(isSame(tags, stored.tags) ? {} : { tags }),
    ...(isSame(validation, stored.validation) ? {} : { validation }),
    ...(isSame(transformation, stored.transformation) ? {} : { transformation }),
    ...(isSame(web_socket, stored.web_socket) ? {} : { web_socket: toWebSocketInput(web_socket) }),
    ...(answer_timeout_ms === stored.answer_timeout_ms ? {} : { answer_timeout_ms }),
    ...(agent_offer === stored.agent_offer ? {} : { agent_offer }),
    ...(tool_name === stored.tool_name ? {} : { tool_name }),
    ...(tool_description === stored.tool_description ? {} : { tool_description }),
    ...(agent_release_hours === stored.agent_release_hours ? {} : { agent_release_hours }),
    ...(isSameRunSettings(run_settings, stored.run_settings)
      ? {}
      : { run_settings: toRunSettingsInput(run_settings) }),
  }
}

const toWebSocketInput = ({ is_on, ...bounds }: WebSocketValues) => (is_on ? bounds : null)

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** An update also carries the auth type (blank while authentication is off) and the version. */
export function toEndpointUpdate(
  values: EndpointFormValues,
  endpoint: EndpointRecord,
): EndpointInput {
  const { version } = endpoint
  const auth_type = values.authentication ? values.auth_type : ''
  return { ...toEndpointInput(values, toEndpointValues(endpoint)), auth_type, version }
}
