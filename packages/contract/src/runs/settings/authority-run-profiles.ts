import { rule, when } from './profile-rule.ts'
import { authoritySources } from './authority-run-sources.ts'
import type { ProfileSource } from './run-profile-sources.ts'
import type {
  DecidedLater,
  DocumentListSettings,
  RunProfileName,
  RunSettings,
} from './run-settings-record.ts'

/** What a profile changes of the settings that an endpoint has by default. */
interface AuthorityRules {
  name: Exclude<RunProfileName, ''>
  title: string
  summary: string
  settings: Partial<RunSettings>
  later?: DecidedLater
  sources: readonly ProfileSource[]
}

/** A batch of documents that is taken, and decided later, each by itself. */
const batch = (documents: DocumentListSettings): Partial<RunSettings> => ({
  effect: 'submit',
  // Its lists say what became of each document. An answer without them is unknown.
  success_rule: listsAnswered,
  rejection_rule: rule('200-299', 'all', when('error', 'not_empty')),
  // Whatever its code: a refusal that may be about an earlier submission is never "rejected".
  duplicate_rule: rule('422'),
  documents,
})

const listsAnswered = rule(
  '200-299',
  'any',
  when('acceptedDocuments', 'not_empty'),
  when('rejectedDocuments', 'not_empty'),
)

/** Of MyInvois, in a list of what it rejects: the same identity was submitted before. */
const duplicateCodes = 'DS302,Error03,DuplicateSubmission'

const lists = {
  items_path: 'documents',
  original_reference_path: '',
  accepted_path: 'acceptedDocuments',
  rejected_path: 'rejectedDocuments',
  authority_reference_path: 'uuid',
  message_path: 'error.message',
  duplicate: rule(
    '',
    'any',
    ...['error.code', 'error.errorCode', 'error.details[*].code', 'error.details[*].errorCode'].map(
      (path) => when(path, 'one_of', duplicateCodes),
    ),
    when('documentStatusReason', 'contains', 'DS302'),
  ),
  poll: {
    list_path: 'documentSummary',
    reference_path: 'internalId',
    accepted: rule('', 'all', when('status', 'equals', 'Valid')),
    rejected: rule('', 'all', when('status', 'equals', 'Invalid')),
    authority_reference_path: 'uuid',
    qr_path: '',
    message_path: 'documentStatusReason',
    page_parameter: 'pageNo',
    next_path: '',
  },
} satisfies Partial<DocumentListSettings>

/** Asks for the decision about a submission by the number that the answer gives. */
const askedBy = (parameter: string, path: string): DecidedLater => ({
  status_query: {
    parameter,
    received: rule('200', 'all', when('documentSummary', 'not_empty')),
    not_received: rule('404'),
    pending: null,
    rejected: null,
    message_path: '',
    reference_path: '',
    quiet_seconds: 120,
  },
  pending: {
    // Where all are rejected at once nothing is left to decide.
    rule: rule('200-299', 'all', when('acceptedDocuments', 'not_empty')),
    parameter_path: path,
    first_after_seconds: 5,
    factor: 1.5,
    max_every_seconds: 300,
    give_up_minutes: 4320,
  },
})

const oscuSuccess = '0,00,000,0000'
const oscuDone = '994'

/** The whole message, as the tests of the provider's own libraries have it. */
const cfdiDuplicate = '307. El comprobante contiene un timbre previo.'

/** Status codes of SuiteTalk for a record that is there already. */
const netsuiteDuplicates = 'DUP_RCRD,DUP_ENTITY,DUP_ITEM'

const soap = (...names: string[]) =>
  ['env:Envelope', 'env:Body', 'tikR:RespuestaRegFactuSistemaFacturacion', ...names].reduce(
    (path, name) => `${path}['${name}']`,
    '$',
  )
const verifactuState = soap('tikR:RespuestaLinea', 'tikR:EstadoRegistro')

export const authorityRules: readonly AuthorityRules[] = [
  {
    name: 'myinvois',
    title: 'MyInvois submission',
    summary:
      'Malaysia, /api/v1.0/documentsubmissions: a batch is taken, each document is decided later.',
    settings: batch({
      ...lists,
      reference_path: 'codeNumber',
      answer_reference_path: 'invoiceCodeNumber',
    }),
    later: askedBy('submissionUid', 'submissionUid'),
    sources: authoritySources.myinvois,
  },
  {
    name: 'eta',
    title: 'ETA submission',
    summary:
      'Egypt, /api/v1.0/documentsubmissions: a batch is taken, each document is decided later.',
    settings: batch({
      ...lists,
      reference_path: 'internalID',
      answer_reference_path: 'internalId',
    }),
    later: askedBy('submissionId', 'submissionId'),
    sources: authoritySources.eta,
  },
  {
    name: 'oscu',
    title: 'eTIMS OSCU sales',
    summary: 'Kenya, /saveTrnsSalesOsdc: resultCd decides, under HTTP 200.',
    settings: {
      effect: 'submit',
      success_rule: rule('200', 'all', when('resultCd', 'one_of', oscuSuccess)),
      rejection_rule: rule(
        '200-299',
        'all',
        when('resultCd', 'exists'),
        when('resultCd', 'not_one_of', `${oscuSuccess},${oscuDone}`),
      ),
      duplicate_rule: rule('200', 'all', when('resultCd', 'equals', oscuDone)),
      message_path: 'resultMsg',
      reference_path: 'invcNo',
      authority_reference_path: 'data.curRcptNo',
    },
    sources: authoritySources.oscu,
  },
  {
    name: 'firs',
    title: 'FIRS signing',
    summary: 'Nigeria, /api/v1/invoice/sign: data.ok decides.',
    settings: {
      effect: 'submit',
      success_rule: rule('200-299', 'all', when('data.ok', 'equals', 'true')),
      rejection_rule: rule('200-299', 'all', when('data.ok', 'equals', 'false')),
      reference_path: 'irn',
    },
    sources: authoritySources.firs,
  },
  {
    name: 'irn',
    title: 'IRN through a GSP',
    summary: 'India, invoice registration: success decides, code 2150 is a duplicate.',
    settings: {
      effect: 'submit',
      success_rule: rule(
        '200-299',
        'all',
        when('success', 'equals', 'true'),
        when('result.Irn', 'not_empty'),
      ),
      rejection_rule: rule('200-299', 'all', when('success', 'equals', 'false')),
      duplicate_rule: rule(
        '200-499',
        'any',
        when('result[0].InfCd', 'equals', 'DUPIRN'),
        when('message', 'contains', '2150'),
      ),
      message_path: 'message',
      reference_path: 'DocDtls.No',
      authority_reference_path: 'result.Irn',
      qr_path: 'result.SignedQRCode',
    },
    sources: authoritySources.irn,
  },
  {
    name: 'verifactu',
    title: 'Verifactu registration',
    summary: 'Spain, one record for each request: EstadoRegistro of its line decides.',
    settings: {
      effect: 'submit',
      content_type: 'application/xml',
      success_rule: rule(
        '200',
        'all',
        when(verifactuState, 'one_of', 'Correcto,AceptadoConErrores'),
      ),
      rejection_rule: rule('200-299', 'all', when(verifactuState, 'equals', 'Incorrecto')),
      duplicate_rule: rule(
        '200',
        'all',
        when(soap('tikR:RespuestaLinea', 'tikR:RegistroDuplicado'), 'exists'),
      ),
      message_path: soap('tikR:RespuestaLinea', 'tikR:DescripcionErrorRegistro'),
      authority_reference_path: soap('tikR:CSV'),
    },
    sources: authoritySources.verifactu,
  },
  {
    name: 'cfdi',
    title: 'CFDI stamp (SW sapien)',
    summary: 'Mexico, a PAC: status decides, message 307 is a stamp of before.',
    settings: {
      effect: 'submit',
      content_type: 'application/jsontoxml',
      success_rule: rule('200', 'all', when('status', 'equals', 'success')),
      rejection_rule: rule('200-299', 'all', when('status', 'equals', 'error')),
      duplicate_rule: rule('200-400', 'all', when('message', 'equals', cfdiDuplicate)),
      message_path: 'message, messageDetail',
      authority_reference_path: 'data.uuid',
    },
    sources: authoritySources.cfdi,
  },
  {
    name: 'zoho-books',
    title: 'Zoho Books invoice',
    summary: 'Zoho Books, /invoices: code 0 is a success.',
    settings: {
      effect: 'submit',
      success_rule: rule('200-299', 'all', when('code', 'equals', '0')),
      rejection_rule: rule(
        '200-299',
        'all',
        when('code', 'exists'),
        when('code', 'not_equals', '0'),
      ),
      duplicate_rule: rule(
        '200-299,400,409',
        'any',
        when('message', 'contains', 'already exist'),
        when('message', 'contains', 'exists already'),
      ),
      message_path: 'message',
      reference_path: 'reference_number',
      authority_reference_path: 'invoice.invoice_number',
    },
    sources: authoritySources.zoho,
  },
  {
    name: 'netsuite',
    title: 'NetSuite record',
    summary: 'NetSuite, /invoice of the REST record service: 204 means that it was created.',
    settings: {
      effect: 'submit',
      success_rule: rule('200-204'),
      duplicate_rule: rule(
        '400-409',
        'any',
        when("$['o:errorDetails'][*]['o:errorCode']", 'one_of', netsuiteDuplicates),
        when("$['o:errorCode']", 'one_of', netsuiteDuplicates),
        when("$['o:errorDetails'][*].detail", 'contains', 'already exists'),
        when('title', 'contains', 'already exists'),
      ),
      message_path: "$['o:errorDetails'][*].detail",
      reference_path: 'externalId',
    },
    sources: authoritySources.netsuite,
  },
]
