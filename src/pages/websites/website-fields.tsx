interface WebsiteFieldsProps {
  readonly name?: string
  readonly domain?: string
}

/** The fields of a new website, and of one that is there. */
export const WebsiteFields = ({ name, domain }: WebsiteFieldsProps) => (
  <>
    <label class="field">
      Name
      <input name="name" required maxLength={100} autocomplete="off" placeholder="My website" defaultValue={name} />
    </label>
    <label class="field">
      Domain
      <input
        name="domain"
        required
        maxLength={500}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder="www.example.com"
        defaultValue={domain}
      />
    </label>
  </>
)
