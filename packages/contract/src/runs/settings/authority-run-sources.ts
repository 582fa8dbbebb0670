import type { ProfileSource } from './run-profile-sources.ts'

// Where the rules of the profiles come from, as far as public documents tell. No authority was called.

type Name =
  | 'myinvois'
  | 'eta'
  | 'oscu'
  | 'firs'
  | 'irn'
  | 'verifactu'
  | 'cfdi'
  | 'zoho'
  | 'netsuite'

const github = (repository: string, file: string) => ({
  title: `${repository}, ${file}`,
  url: `https://github.com/${repository}`,
})
const myinvoisDocs = github('deadboy18/myinvois-docs', '02-platform-api')
const odooEta = github('odoo/odoo', 'l10n_eg_edi_eta')
const kraSdk = github('Linkd-TaxID/kra-etims-sdk', 'docs/errors.json')
const odooOscu = github('odoo/odoo', 'l10n_ke_edi_oscu')
const taxpoynt = github('mukhtar-github/taxpoynt-eInvoice', 'firs_api_client.py')
const indiaCompliance = github('resilient-tech/india-compliance', 'api_classes/e_invoice.py')
const gobl = github('invopop/gobl.verifactu', 'invoice_response.go')
const odooVerifactu = github('odoo/odoo', 'l10n_es_edi_verifactu')
const sw = github('lunasoft/sw-sdk-python', 'README')
const zohoErrors = { title: 'Zoho Books API: errors', url: 'https://zoho.com/books/api/v3/errors/' }
const oracle = (title: string, page: string) => ({
  title: `Oracle NetSuite help: ${title}`,
  url: `https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/${page}.html`,
})

const none = (about: string, says: string): ProfileSource => ({
  about,
  standing: 'inferred',
  says,
})

const decidedLater = none(
  'Success rule',
  'Success means that the authority has taken the document. Whether it is valid is decided later: ask for it by the reference that the answer gives.',
)
const eachDocument = (says: string, place: object): ProfileSource => ({
  about: 'Several documents, decided later',
  standing: 'reported',
  says,
  ...place,
})

export const authoritySources: Record<Name, readonly ProfileSource[]> = {
  myinvois: [
    {
      about: 'Success rule, rejection rule',
      standing: 'reported',
      says: 'The answer is 202 with submissionUid, acceptedDocuments and rejectedDocuments.',
      ...myinvoisDocs,
    },
    {
      about: 'Value to ask by',
      standing: 'reported',
      says: 'The documentation spells it submissionUID; answers that were received have submissionUid.',
      title: 'klsheng/myinvois-php-sdk, issue 15',
      url: 'https://github.com/klsheng/myinvois-php-sdk/issues/15',
    },
    decidedLater,
    {
      about: 'Duplicate rule, Duplicate-safe',
      standing: 'reported',
      says: 'The same payload is refused with 422 DuplicateSubmission for 10 minutes: any 422 counts as a duplicate. The same identity (DS302, Error03) is refused for 2 hours, as an error in the list of what is rejected: the rule for a document looks for these codes where errors of that list have them. Duplicate-safe is off: hours are too coarse for the first.',
      ...myinvoisDocs,
    },
    eachDocument(
      'documents[].codeNumber names a document, invoiceCodeNumber in both lists of the answer. Get Submission takes the submissionUid; its documentSummary has internalId and status (Submitted, Valid, Invalid, Cancelled). It is to be asked every 3 to 5 s at most.',
      myinvoisDocs,
    ),
    none('Page parameter', 'pageNo: a submission of many documents is shown in pages.'),
    none(
      'Status query',
      'Choose the endpoint of Get Submission. A lost answer takes the submissionUid along: then a person has to look.',
    ),
  ],
  eta: [
    {
      about: 'Success rule, rejection rule',
      standing: 'reported',
      says: 'The answer has submissionId, acceptedDocuments and rejectedDocuments.',
      ...odooEta,
    },
    decidedLater,
    eachDocument(
      'internalID names a document in the request, internalId in the lists of the answer. The submission is asked by its submissionId; its documentSummary has a status: Submitted, Valid, Invalid, Cancelled.',
      odooEta,
    ),
    none(
      'Reference in the lists',
      'That rejected documents and documentSummary are named by internalId was not seen in that source: check it with the first submissions.',
    ),
    none(
      'Duplicate rule, Duplicate-safe',
      'No public document says how a repetition is answered. MyInvois, which is built the same, answers 422, so a 422 counts as a duplicate. Duplicate-safe is off.',
    ),
    none(
      'Page parameter',
      'pageNo, as in the sister system: check it with a submission of more than 100 documents.',
    ),
    none(
      'Status query',
      'Choose the endpoint that shows a submission. A lost answer takes the submissionId along: then a person has to look.',
    ),
  ],
  oscu: [
    {
      about: 'Success rule',
      standing: 'reported',
      says: 'resultCd 0, 00, 000 or 0000 under HTTP 200 is a success. Behind the newer gateway of KRA it is in responseBody.resultCd: change the paths if that is what you receive.',
      ...kraSdk,
    },
    {
      about: 'Duplicate rule',
      standing: 'reported',
      says: '994: an earlier try has done it.',
      ...kraSdk,
    },
    none('Rejection rule', 'Any other resultCd.'),
    {
      about: 'Document reference path, authority reference path',
      standing: 'reported',
      says: 'invcNo is the number of the invoice in the request, data.curRcptNo the receipt number in the answer.',
      ...odooOscu,
    },
    none('Duplicate-safe, status query', 'Off, and none: nothing public promises either.'),
  ],
  firs: [
    {
      about: 'Document reference path',
      standing: 'reported',
      says: 'An invoice is validated, signed, transmitted and confirmed by its IRN, which the request holds.',
      ...taxpoynt,
    },
    none(
      'Success rule, rejection rule',
      'Client libraries read data.ok of the answer to signing. An answer without it stays unknown.',
    ),
    none(
      'Duplicate rule, Duplicate-safe',
      'None: no public document says how a repetition is answered.',
    ),
    none(
      'Status query',
      'None set: /api/v1/invoice/confirm/{irn} answers by the IRN; add its endpoint, and the rules for its answers, once you have seen them.',
    ),
  ],
  irn: [
    {
      about: 'Duplicate rule',
      standing: 'reported',
      says: 'A known invoice is answered with error 2150 and InfCd DUPIRN in the list result, which holds its IRN. Where the provider passes on the message alone, 2150 in it counts.',
      ...indiaCompliance,
    },
    none(
      'Success rule, rejection rule',
      'Providers pass success and result on, with Irn in it. Compare them with the documents of yours.',
    ),
    none(
      'Document reference path',
      'DocDtls.No, the number of the document in the schema of the IRP.',
    ),
    none(
      'Status query',
      'None set: a document can be asked for by its IRN for 2 days (error 2283 after that), and the IRN is in the answer that was lost.',
    ),
    none('Duplicate-safe', 'Off: turn it on where your provider promises it.'),
  ],
  verifactu: [
    {
      about: 'Success rule, rejection rule',
      standing: 'reported',
      says: 'EstadoRegistro of a line is Correcto, AceptadoConErrores or Incorrecto.',
      ...gobl,
    },
    {
      about: 'Duplicate rule',
      standing: 'reported',
      says: 'A known record has RegistroDuplicado in its line, with the state of the earlier one.',
      ...gobl,
    },
    {
      about: 'Success rule, authority reference path',
      standing: 'reported',
      says: 'The answer is env:Envelope, env:Body, tikR:RespuestaRegFactuSistemaFacturacion. Paths name prefixes as the server writes them: change them if it writes others.',
      ...odooVerifactu,
    },
    none(
      'Rejection rule',
      'A SOAP fault fits no rule and stays unknown. So do several records in one request: send one.',
    ),
    none(
      'Document reference path',
      'Blank: the body goes out byte for byte, and its number stands in an element with a prefix of your choice. Enter its path.',
    ),
    none(
      'Duplicate-safe, status query',
      'Off, and none: the answer’s TiempoEsperaEnvio says when the next request may be sent, which is not enforced here.',
    ),
  ],
  cfdi: [
    {
      about: 'Success rule, rejection rule',
      standing: 'reported',
      says: 'status is success or error. Version 4 of the answer holds all data of the stamp.',
      ...sw,
    },
    {
      about: 'Duplicate rule',
      standing: 'reported',
      says: 'A document that was stamped before is answered with the message 307, which the tests of the provider’s libraries expect.',
      ...sw,
    },
    none('Authority reference path', 'data.uuid, the fiscal folio in version 4 of the answer.'),
    none(
      'Document reference path, QR path',
      'Blank: Folio names an invoice only together with Serie, so enter it where you use one series. The QR comes as a picture.',
    ),
    none(
      'Duplicate-safe, status query',
      'Off, and none: providers differ. Other PACs need other rules.',
    ),
  ],
  zoho: [
    {
      about: 'Success rule, rejection rule',
      standing: 'documented',
      says: 'code 0 is a success; other codes come with a message.',
      ...zohoErrors,
    },
    none(
      'Document reference path',
      'reference_number of the request: it is required here, so that a document is not sent twice.',
    ),
    none('Authority reference path', 'invoice.invoice_number of the answer.'),
    none(
      'Duplicate rule, Duplicate-safe, status query',
      'A refusal (400) whose message says that the number already exists is a duplicate, whatever its code: the codes differ by module and are not documented. A repetition of reference_number alone is not refused. Duplicate-safe is off.',
    ),
  ],
  netsuite: [
    {
      about: 'Success rule',
      standing: 'documented',
      says: 'A record that was created is answered with 204, without a body; Location holds its address.',
      ...oracle('Creating a Record Instance', 'section_1545141395'),
    },
    {
      about: 'Document reference path',
      standing: 'documented',
      says: 'externalId names a record of yours; a record can be asked for by eid:… in the place of its ID.',
      ...oracle('Using External IDs', 'section_156334828635'),
    },
    none(
      'Status query',
      'None set: GET of the record by eid: and its external ID is one; add the endpoint /invoice/{id}.',
    ),
    none(
      'Duplicate rule, Duplicate-safe',
      'What a second record with the same external ID is answered with is not documented for REST. DUP_RCRD, DUP_ENTITY and DUP_ITEM are the codes of SuiteTalk for it; “already exists” in a detail counts too. Duplicate-safe is off.',
    ),
  ],
}
