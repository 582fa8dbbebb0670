import type { UseFormReturnType } from '@mantine/form'
import type { SubmittedApi } from '@gatehouse/contract'
import type { PlannedEndpoint } from '../../../entities/endpoint/planned-endpoint.ts'
import type { FormValues } from '../../../lib/forms/form-values.ts'
import type { NamedValue } from '../../../ui/text/named-values.tsx'
import type { ApiInput } from '../api-queries.ts'
import {
  noCredential,
  toCredentialDraft,
  toCredentialInput,
  type CredentialDraft,
} from '../sign-in/credential-draft.ts'
import { noTls, toTlsDraft, toTlsInput, type TlsDraft } from '../policy/tls-draft.ts'
import {
  toPolicyInput,
  toPolicyValues,
  type PolicySwitches,
  type TrafficPolicyValues,
} from '../policy/traffic-policy-values.ts'

/** The form's fields under their wire names (spec: entities), all as typed. */
export type ApiFormValues = FormValues<
  Omit<ApiInput, 'version' | 'upstream_token' | 'clear_upstream_token'>,
  {
    credential: CredentialDraft
    test_credential: CredentialDraft
    tls: TlsDraft
    static_headers: NamedValue[]
    tags: string[]
    api_protocol: SubmittedApi['api_protocol']
    traffic_policy: TrafficPolicyValues
    traffic_policy_on: PolicySwitches
    /** As they are stored; not sent. */
    client_authorities: SubmittedApi['client_authorities']
    /** The authority that has filled the form; not sent. */
    profile: string
    /** Created after the API; not sent with it. */
    endpoints: (PlannedEndpoint & { isChosen: boolean })[]
    /** Ids of the tokens that reach a draft; not sent with the API itself. */
    draft_tokens: string[]
  }
>

export type ApiFormState = UseFormReturnType<ApiFormValues>

const notSent = { profile: '', endpoints: [], client_authorities: [], draft_tokens: [] }

export const newApiValues: ApiFormValues = {
  name: '',
  api_protocol: 'http',
  authentication: false,
  auth_type: 'bearer_token',
  gateway_status: 'active',
  // New APIs are for our own runs and networks until a user opens them (spec: internal-access).
  api_access: 'internally',
  offer_to_agents: false,
  document_register: '',
  api_url: '',
  test_api_url: '',
  driver: 'sqlsrv',
  host: '',
  port: '',
  database: '',
  username: '',
  password: '',
  func_name: '',
  db_tls: '',
  db_ca: '',
  credential: noCredential,
  test_credential: noCredential,
  tls: noTls,
  static_headers: [],
  tags: [],
  connect_timeout_ms: '',
  answer_timeout_ms: '',
  ...notSent,
  ...toPolicyValues(null),
}

/** Secrets are never sent to us: their fields start blank, which keeps what is stored. */
export function toApiValues(api: SubmittedApi): ApiFormValues {
  return {
    name: api.name,
    api_protocol: api.api_protocol,
    authentication: api.authentication,
    auth_type: api.auth_type === '' ? newApiValues.auth_type : api.auth_type,
    gateway_status: api.gateway_status,
    api_access: api.api_access,
    offer_to_agents: api.offer_to_agents,
    document_register: api.document_register,
    api_url: api.api_url,
    test_api_url: api.test_api_url,
    driver: api.driver === '' ? newApiValues.driver : api.driver,
    host: api.host,
    port: asText(api.port),
    database: api.database,
    username: api.username,
    password: '',
    func_name: api.func_name,
    db_tls: api.db_tls,
    db_ca: api.db_ca,
    credential: toCredentialDraft(api.credential),
    test_credential: toCredentialDraft(api.test_credential),
    tls: toTlsDraft(api.tls),
    static_headers: api.static_headers,
    tags: api.tags,
    connect_timeout_ms: asText(api.connect_timeout_ms),
    answer_timeout_ms: asText(api.answer_timeout_ms),
    ...notSent,
    client_authorities: api.client_authorities,
    ...toPolicyValues(api.traffic_policy),
  }
}

/** The endpoints to create once the API is. A stored procedure has no paths. */
export const chosenEndpoints = ({ api_protocol, endpoints }: ApiFormValues): PlannedEndpoint[] =>
  api_protocol === 'http' ? endpoints.filter(({ isChosen }) => isChosen) : []

/** The auth type goes along only while authentication is on (spec: states). */
export function toApiInput(values: ApiFormValues): ApiInput {
  const { traffic_policy, traffic_policy_on, credential, test_credential, tls, ...others } = values
  const { profile: _profile, endpoints: _endpoints, ...typed } = others
  const { client_authorities: _shown, draft_tokens: _tokens, ...rest } = typed
  return {
    ...rest,
    auth_type: values.authentication ? values.auth_type : '',
    credential: toCredentialInput(credential),
    test_credential: toCredentialInput(test_credential),
    tls: toTlsInput(tls),
    traffic_policy: toPolicyInput(traffic_policy, traffic_policy_on),
  }
}

const asText = (value: number | null) => (value === null ? '' : String(value))
