import type { PlannedEndpoint } from '../../../entities/endpoint/planned-endpoint.ts'
import type { NamedValue } from '../../../ui/text/named-values.tsx'
import type { CredentialDraft } from '../sign-in/credential-draft.ts'

type FilledCredential = Partial<CredentialDraft> & Pick<CredentialDraft, 'kind'>

/** What one authority or ERP asks for, to fill the form of a new API. What is secret stays to be typed. */
export interface AuthorityProfile {
  label: string
  credential: FilledCredential
  /** Where the test base URL has accounts or tokens of its own. */
  testCredential?: FilledCredential
  staticHeaders?: NamedValue[]
  /** Left out where each customer has another one. */
  api_url?: string
  test_api_url?: string
  /** What only a person can know, or has to look at. */
  hint?: string
  /** Those whose answers a run-settings profile can judge. */
  endpoints?: PlannedEndpoint[]
}

const secretHeaders = (...names: string[]): FilledCredential => ({
  kind: 'headers',
  headers: names.map((name) => ({ name, value: '' })),
})

const clientCredentials = (changes: Partial<CredentialDraft>): FilledCredential => ({
  kind: 'oauth2_client_credentials',
  ...changes,
})

const post = (
  path: string,
  summery: string,
  runProfile: PlannedEndpoint['runProfile'] = '',
): PlannedEndpoint => ({ method_type: 'post', path, summery, runProfile })

const get = (path: string, summery: string): PlannedEndpoint => ({
  method_type: 'get',
  path,
  summery,
  runProfile: '',
})

/** An authority that takes submissions and decides later: the first endpoint is asked about them. */
const submissions = (parameter: string, runProfile: PlannedEndpoint['runProfile']) => {
  const path = '/api/v1.0/documentsubmissions'
  const asks = `${path}/{${parameter}}`
  return [
    get(asks, 'Ask for a submission'),
    { ...post(path, 'Submit a document', runProfile), asks },
  ]
}

/** SW sapien: user and password in headers of the login, and a token for two hours. */
const swLogin = (origin: string): FilledCredential => ({
  kind: 'login_call',
  url: `${origin}/security/authenticate`,
  headers: ['user', 'password'].map((name) => ({ name, value: '' })),
  token_path: 'data.token',
  lifetime_seconds: '7200',
})

const myinvois = { client_authentication: 'body', scope: 'InvoicingAPI' }
const eta = { client_authentication: 'basic' }

/** By public documents and client libraries of each authority (docs/sign-in.md). */
export const authorityProfiles: Record<string, AuthorityProfile> = {
  zatca: {
    label: 'Saudi Arabia: ZATCA',
    credential: { kind: 'basic' },
    testCredential: { kind: 'basic' },
    staticHeaders: [
      { name: 'Accept-Version', value: 'V2' },
      { name: 'Clearance-Status', value: '1' },
    ],
    api_url: 'https://gw-fatoora.zatca.gov.sa/e-invoicing/core',
    test_api_url: 'https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation',
    hint: 'The user name is the security token of your certificate, the password its secret. The simulation has its own.',
    endpoints: [
      {
        method_type: 'post',
        path: '/invoices/clearance/single',
        summery: 'Clear a standard invoice',
        runProfile: 'zatca-clearance',
      },
      {
        method_type: 'post',
        path: '/invoices/reporting/single',
        summery: 'Report a simplified invoice',
        runProfile: 'zatca-reporting',
      },
    ],
  },
  jofotara: {
    label: 'Jordan: JoFotara',
    credential: secretHeaders('Client-Id', 'Secret-Key'),
    api_url: 'https://backend.jofotara.gov.jo',
    hint: 'No public sandbox is known: without a test base URL, test runs send nothing.',
    endpoints: [
      {
        method_type: 'post',
        path: '/core/invoices/',
        summery: 'Submit an invoice',
        runProfile: 'jofotara',
      },
    ],
  },
  myinvois: {
    label: 'Malaysia: MyInvois',
    credential: clientCredentials({
      ...myinvois,
      token_url: 'https://api.myinvois.hasil.gov.my/connect/token',
    }),
    testCredential: clientCredentials({
      ...myinvois,
      token_url: 'https://preprod-api.myinvois.hasil.gov.my/connect/token',
    }),
    api_url: 'https://api.myinvois.hasil.gov.my',
    test_api_url: 'https://preprod-api.myinvois.hasil.gov.my',
    endpoints: submissions('submissionUid', 'myinvois'),
    hint: 'An intermediary adds the header onbehalfof to the token request, with the TIN of the taxpayer.',
  },
  eta: {
    label: 'Egypt: ETA',
    credential: clientCredentials({ ...eta, token_url: 'https://id.eta.gov.eg/connect/token' }),
    testCredential: clientCredentials({
      ...eta,
      token_url: 'https://id.preprod.eta.gov.eg/connect/token',
    }),
    api_url: 'https://api.invoicing.eta.gov.eg',
    test_api_url: 'https://api.preprod.invoicing.eta.gov.eg',
    endpoints: submissions('submissionId', 'eta'),
    hint: 'If its servers refuse the connection, they may need legacy renegotiation: see TLS to the upstream.',
  },
  oscu: {
    label: 'Kenya: OSCU',
    credential: secretHeaders('tin', 'bhfId', 'cmcKey'),
    api_url: 'https://etims-api.kra.go.ke/etims-api',
    test_api_url: 'https://etims-api-sbx.kra.go.ke/etims-api',
    hint: 'A newer gateway of KRA wants OAuth 2 as well, and other paths: compare them with what KRA gave you.',
    endpoints: [post('/saveTrnsSalesOsdc', 'Send a sale', 'oscu')],
  },
  firs: {
    label: 'Nigeria: FIRS',
    credential: secretHeaders('x-api-key', 'x-api-secret'),
    hint: 'FIRS gives you the addresses.',
    endpoints: [
      post('/api/v1/invoice/validate', 'Validate an invoice'),
      post('/api/v1/invoice/sign', 'Sign an invoice', 'firs'),
      post('/api/v1/invoice/transmit/{irn}', 'Transmit an invoice'),
      get('/api/v1/invoice/confirm/{irn}', 'Confirm an invoice'),
    ],
  },
  gsp: {
    label: 'India: a GSP',
    credential: secretHeaders('x-api-key', 'gstin', 'user_name', 'password'),
    staticHeaders: [{ name: 'requestid', value: '{uuid}' }],
    hint: 'Providers name headers and paths differently: compare them with the documents of yours.',
    endpoints: [post('/ei/api/invoice', 'Register an invoice', 'irn')],
  },
  verifactu: {
    label: 'Spain: Verifactu',
    credential: { kind: '' },
    api_url: 'https://www1.agenciatributaria.gob.es/wlpl/TIKE-CONT/ws/SistemaFacturacion',
    test_api_url: 'https://prewww1.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion',
    hint: 'It knows you by a client certificate: see TLS to the upstream. Seal certificates go to www10 and prewww10.',
    endpoints: [post('/VerifactuSOAP', 'Register an invoice', 'verifactu')],
  },
  cfdi: {
    label: 'Mexico: SW sapien (PAC)',
    credential: swLogin('https://services.sw.com.mx'),
    testCredential: swLogin('https://services.test.sw.com.mx'),
    api_url: 'https://services.sw.com.mx',
    test_api_url: 'https://services.test.sw.com.mx',
    hint: 'The values of user and password are those of your account.',
    endpoints: [post('/v3/cfdi33/issue/json/v4', 'Seal and stamp an invoice', 'cfdi')],
  },
  netsuite: {
    label: 'NetSuite',
    credential: clientCredentials({
      client_authentication: 'private_key_jwt',
      algorithm: 'PS256',
      scope: 'rest_webservices',
    }),
    hint: 'Base URL (…/services/rest/record/v1) and token URL (…/services/rest/auth/oauth2/v1/token) hold the ID of your account.',
    endpoints: [
      post('/invoice', 'Create an invoice', 'netsuite'),
      get('/invoice/{id}', 'Show an invoice'),
    ],
  },
  zoho: {
    label: 'Zoho Books',
    credential: {
      kind: 'oauth2_refresh_token',
      client_authentication: 'body',
      scheme: 'Zoho-oauthtoken',
    },
    hint: 'Base URL (…/books/v3) and token URL (…/oauth/v2/token) depend on the region of your organisation. Its ID goes into the static header X-com-zoho-books-organizationid.',
    endpoints: [post('/invoices', 'Create an invoice', 'zoho-books')],
  },
}
