import { Field } from './field.tsx'

interface WebsiteFieldsProps {
  readonly name?: string
  readonly domain?: string
}

/** The fields of a new website, and of one that is there. */
export const WebsiteFields = ({ name, domain }: WebsiteFieldsProps) => (
  <>
    <Field label="Name" name="name" required maxLength={100} placeholder="My website" defaultValue={name} />
    <Field
      {...{ label: 'Domain', name: 'domain', isExact: true, required: true, maxLength: 500 }}
      {...{ placeholder: 'www.example.com', defaultValue: domain }}
    />
  </>
)
