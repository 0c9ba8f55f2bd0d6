/** A tool with a control of every kind. */
export const rich = {
  name: "create_booking",
  title: "Create booking",
  description: "Books a journey for one or more travellers.",
  inputSchema: {
    type: "object",
    properties: {
      title: { type: "string", title: "Title", description: "How the booking is called in your list.", minLength: 3 },
      contact: { type: "string", format: "email", title: "Contact", examples: ["ada@example.com"] },
      class: { title: "Class", enum: ["Economy", "Business", "First"], default: "Economy" },
      currency: {
        title: "Currency",
        enum: "AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR".split(
          " "
        )
      },
      seats: { type: "integer", title: "Seats", minimum: 1, maximum: 9, default: 2 },
      budget: { type: "number", title: "Budget", minimum: 0, description: "The most it may cost, in all." },
      flexible: { type: "boolean", title: "Flexible dates", default: true, description: "A day earlier or later." },
      insured: { type: "boolean", title: "Insured" },
      departure: { type: "string", format: "date-time", title: "Departure" },
      returning: { type: "string", format: "date", title: "Return" },
      apiKey: { type: "string", title: "API key", description: "Of your account." },
      notes: { type: "string", title: "Notes", maxLength: 900 },
      labels: { type: "array", title: "Labels", items: { type: "string" } },
      meals: { type: "array", title: "Meals", items: { enum: ["Breakfast", "Lunch", "Dinner"] } },
      address: {
        type: "object",
        title: "Address",
        description: "Where the tickets go.",
        properties: {
          street: { type: "string", title: "Street" },
          city: { type: "string", title: "City" },
          country: { type: "string", title: "Country", default: "France" }
        },
        required: ["street", "city"]
      },
      travellers: {
        type: "array",
        title: "Travellers",
        items: {
          type: "object",
          title: "Traveller",
          properties: {
            name: { type: "string", title: "Name" },
            age: { type: "integer", title: "Age", minimum: 0 }
          },
          required: ["name"]
        }
      },
      payment: {
        title: "Payment",
        oneOf: [
          {
            title: "Card",
            type: "object",
            properties: {
              kind: { const: "card" },
              holder: { type: "string", title: "Holder" },
              number: { type: "string", title: "Number" }
            },
            required: ["kind", "holder", "number"]
          },
          {
            title: "Invoice",
            type: "object",
            properties: {
              kind: { const: "invoice" },
              holder: { type: "string", title: "Holder" },
              days: { type: "integer", title: "Days", minimum: 1 }
            },
            required: ["kind", "holder"]
          }
        ]
      },
      position: {
        type: "array",
        title: "Position",
        prefixItems: [
          { type: "number", title: "Latitude" },
          { type: "number", title: "Longitude" }
        ],
        items: false
      },
      metadata: { type: "object", title: "Metadata", additionalProperties: { type: "string" } },
      options: { title: "Options", description: "Anything else." },
      old: { type: "string", title: "Old reference", deprecated: true }
    },
    required: ["title", "class", "payment"]
  }
}
