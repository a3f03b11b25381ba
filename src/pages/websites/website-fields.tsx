import { Field } from './field.tsx'

interface WebsiteFieldsProps {
  readonly name?: string
  readonly domain?: string
}

/** The fields of a new or an existing website. */
export const WebsiteFields = ({ name, domain }: WebsiteFieldsProps) => (
  <>
    <Field label="Name" name="name" required maxLength={100} placeholder="My website" defaultValue={name} />
    <Field
      {...{ label: 'Domain', name: 'domain', isExact: true, required: true, maxLength: 500 }}
      {...{ placeholder: 'www.example.com', defaultValue: domain }}
    />
  </>
)
