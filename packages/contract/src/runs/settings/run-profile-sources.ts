/**
 * How well a rule is founded: `documented` by the authority or a standard, `reported` by those who
 * call it, `inferred` from either.
 */
export type SourceStanding = 'documented' | 'reported' | 'inferred'

export interface ProfileSource {
  /** Labels of the settings it speaks of. */
  about: string
  standing: SourceStanding
  says: string
  title?: string
  url?: string
}

// Where the rules of the profiles come from, as far as public documents tell.

const duplicates = {
  title: 'ZATCA developer community: Checking the duplicate (response codes 208 & 409)',
  url: 'https://zatca1.discourse.group/t/breaking-change-checking-the-duplicate-response-codes-208-209/6859',
}
const responses = {
  title: 'ZATCA developer community: HTTP Response (errors)',
  url: 'https://zatca1.discourse.group/t/http-response-errors/991',
}
const resend: ProfileSource = {
  about: 'Duplicate-safe',
  standing: 'documented',
  says:
    'The hash of an accepted invoice is kept for 24 hours to recognise it. The limit here is 23 hours; ' +
    'later the same bytes can be accepted again. ZATCA looks into repeated duplicates: resend once, not in a loop.',
  ...duplicates,
}
const shared: readonly ProfileSource[] = [
  resend,
  {
    about: 'Document reference path',
    standing: 'reported',
    says: 'The request is {invoiceHash, uuid, invoice}; uuid is the one that stands in the invoice.',
    title: 'sevaske/php-zatca-xml, issue 18',
    url: 'https://github.com/sevaske/php-zatca-xml/issues/18',
  },
  {
    about: 'Rejection rule',
    standing: 'inferred',
    says:
      '303 says that clearance is switched off and the document belongs to the other of the two calls: a ' +
      'definite no, also without a body. A 2xx that is neither success nor rejection stays unknown.',
    ...responses,
  },
  {
    about: 'Status query, QR, authority reference',
    standing: 'inferred',
    says:
      'None: the sources describe no status query, ZATCA gives no number of its own, and the QR lies ' +
      'inside the XML of the invoice, where a path can’t reach it.',
  },
]

export const zatcaSources: Record<'clearance' | 'reporting', readonly ProfileSource[]> = {
  clearance: [
    {
      about: 'Success rule',
      standing: 'documented',
      says: '202 is accepted with warnings and must not be sent again.',
      ...responses,
    },
    {
      about: 'Success rule',
      standing: 'reported',
      says: 'A cleared invoice is answered with clearanceStatus CLEARED.',
      title: 'SallaApp/ZATCA, issue 32',
      url: 'https://github.com/SallaApp/ZATCA/issues/32',
    },
    {
      about: 'Duplicate rule',
      standing: 'documented',
      says: '208: this hash was submitted before; the answer holds the cleared invoice again.',
      ...duplicates,
    },
    {
      about: 'Duplicate rule',
      standing: 'reported',
      says: 'The body of a 208 has clearanceStatus CLEARED and the warning Duplicate-Invoice.',
      title: 'lavaloon-eg/ksa_compliance, issue 291',
      url: 'https://github.com/lavaloon-eg/ksa_compliance/issues/291',
    },
    {
      about: 'Rejection rule',
      standing: 'reported',
      says: 'A refused invoice has clearanceStatus NOT_CLEARED and validationResults.status ERROR.',
      title: 'lavaloon-eg/ksa_compliance, issue 91',
      url: 'https://github.com/lavaloon-eg/ksa_compliance/issues/91',
    },
    ...shared,
  ],
  reporting: [
    {
      about: 'Success rule',
      standing: 'reported',
      says:
        'A reported invoice has reportingStatus REPORTED and clearanceStatus null. Looking at ' +
        'clearanceStatus alone takes it for an error.',
      title: 'ERPGulf/zatca_erpgulf, issue 104',
      url: 'https://github.com/ERPGulf/zatca_erpgulf/issues/104',
    },
    {
      about: 'Success rule',
      standing: 'documented',
      says: '202 is accepted with warnings and must not be sent again.',
      ...responses,
    },
    {
      about: 'Duplicate rule',
      standing: 'documented',
      says: '409 means that the same invoice was reported successfully before, and counts as reported.',
      ...duplicates,
    },
    {
      about: 'Duplicate rule',
      standing: 'reported',
      says:
        'The body of a 409 says NOT_REPORTED and ERROR all the same; a resend has also been answered ' +
        'with REPORTED_SUCCESSFULLY_EARLIER. So the status decides, not the body.',
      title: 'lavaloon-eg/ksa_compliance, issue 320',
      url: 'https://github.com/lavaloon-eg/ksa_compliance/issues/320',
    },
    {
      about: 'Rejection rule',
      standing: 'reported',
      says: 'A refused invoice has reportingStatus NOT_REPORTED and validationResults.status ERROR.',
      title: 'SallaApp/ZATCA, issue 57',
      url: 'https://github.com/SallaApp/ZATCA/issues/57',
    },
    ...shared,
  ],
}

const client = {
  title: 'jafar-albadarneh/jofotara, JoFotaraResponse.php',
  url: 'https://github.com/jafar-albadarneh/jofotara',
}
const kit = {
  title: 'skelvar/jofotara-kit, reference.md',
  url: 'https://github.com/skelvar/jofotara-kit',
}

export const jofotaraSources: readonly ProfileSource[] = [
  {
    about: 'Success rule',
    standing: 'reported',
    says: 'Accepted: HTTP 200, EINV_STATUS SUBMITTED and EINV_RESULTS.status other than ERROR.',
    ...client,
  },
  {
    about: 'Success rule',
    standing: 'reported',
    says:
      'The same library also knows answers with validationResults and invoiceStatus instead. Such an ' +
      'answer fits no rule here and stays unknown: change the paths if that is what you receive.',
    ...client,
  },
  {
    about: 'Rejection rule',
    standing: 'reported',
    says: 'Refused: EINV_RESULTS.status ERROR or EINV_STATUS NOT_SUBMITTED, also under HTTP 200.',
    ...kit,
  },
  {
    about: 'Duplicate rule',
    standing: 'reported',
    says: 'EINV_STATUS ALREADY_SUBMITTED is answered for a document that was accepted before.',
    ...client,
  },
  {
    about: 'Duplicate-safe',
    standing: 'inferred',
    says:
      'Off: the authority publishes no promise for a repetition and no sandbox to try it in. An unknown ' +
      'outcome waits for a person; sent again, ALREADY_SUBMITTED counts as success.',
  },
  {
    about: 'Authority reference path, QR path',
    standing: 'reported',
    says: 'EINV_NUM is the number given by the authority, EINV_QR the text to print as QR.',
    ...client,
  },
  {
    about: 'Document reference path',
    standing: 'inferred',
    says:
      'Empty: the request is {"invoice": base64 of the XML}, where a path can’t reach the number. ' +
      'Without it the document ledger does not guard these documents.',
    ...kit,
  },
]
