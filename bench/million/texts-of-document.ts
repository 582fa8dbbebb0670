import { money, type Figures } from './figures-of-document.ts'

export interface Document {
  reference: string
  original: string | null
  isCredit: boolean
  /** ISO 8601. */
  at: string
  figures: Figures
}

const seller = { name: 'Gatehouse Demo Trading LLC', vat: '310122393500003', city: 'Riyadh' }

/** The body of the request to the authority, as JSON. */
export const jsonBody = ({ reference, original, isCredit, at, figures }: Document): string =>
  JSON.stringify({
    invoiceNumber: reference,
    invoiceTypeCode: isCredit ? '381' : '388',
    ...(original ? { billingReference: original } : {}),
    issueDate: at.slice(0, 10),
    issueTime: at.slice(11, 19),
    currency: 'SAR',
    seller,
    buyer: figures.customer,
    lines: figures.lines.map(({ sku, name, quantity, price }, at) => ({
      id: at + 1,
      sku,
      name,
      quantity,
      unitPrice: money(price),
      taxRate: '15.00',
      lineTotal: money(quantity * price),
    })),
    totalExcludingTax: money(figures.net),
    taxAmount: money(figures.tax),
    totalIncludingTax: money(figures.net + figures.tax),
  })

/** The same as XML, in the words of UBL. */
export function xmlBody({ reference, original, at, figures, isCredit }: Document): string {
  const party = ({ name, vat, city }: typeof seller) =>
    `<cac:Party><cac:PostalAddress><cbc:CityName>${city}</cbc:CityName></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>${vat}</cbc:CompanyID></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>`
  const lines = figures.lines.map(
    ({ name, quantity, price }, index) =>
      `<cac:InvoiceLine><cbc:ID>${index + 1}</cbc:ID><cbc:InvoicedQuantity unitCode="PCE">${quantity}</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="SAR">${money(quantity * price)}</cbc:LineExtensionAmount><cac:Item><cbc:Name>${name}</cbc:Name></cac:Item><cac:Price><cbc:PriceAmount currencyID="SAR">${money(price)}</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`,
  )
  const billing = original
    ? `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${original}</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`
    : ''
  return `<?xml version="1.0" encoding="UTF-8"?><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><cbc:ID>${reference}</cbc:ID><cbc:IssueDate>${at.slice(0, 10)}</cbc:IssueDate><cbc:InvoiceTypeCode>${isCredit ? 381 : 388}</cbc:InvoiceTypeCode>${billing}<cac:AccountingSupplierParty>${party(seller)}</cac:AccountingSupplierParty><cac:AccountingCustomerParty>${party(figures.customer)}</cac:AccountingCustomerParty>${lines.join('')}<cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount currencyID="SAR">${money(figures.net)}</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID="SAR">${money(figures.net + figures.tax)}</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal></Invoice>`
}

/** What the ERP sends to the workflow. */
export const inputOf = ({ reference, original, at, figures }: Document): string =>
  JSON.stringify({
    number: reference,
    ...(original ? { credits: original } : {}),
    date: at.slice(0, 10),
    customer: {
      id: figures.customer.id,
      name: figures.customer.name,
      tax_number: figures.customer.vat,
    },
    items: figures.lines.map(({ sku, quantity, price }) => ({
      sku,
      quantity,
      price: money(price),
    })),
    total: money(figures.net + figures.tax),
  })
