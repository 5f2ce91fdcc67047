internal import JSON

extension VarlinkInterface {
    static let serviceName = "org.varlink.service"

    /// Creates the interface that every server offers: the identity of the service and its interfaces.
    static func service(_ information: ServiceInformation, _ offered: [VarlinkInterface]) -> VarlinkInterface {
        let names = [serviceName] + offered.map(\.name)
        var descriptions = [serviceName: serviceDescription]
        for interface in offered { descriptions[interface.name] = interface.description }
        return VarlinkInterface(
            name: serviceName, description: serviceDescription,
            methods: [
                "GetInfo": .query { [information] call in call.reply(InfoReply(information, interfaces: names)) },
                "GetInterfaceDescription": .query { [descriptions] call throws(VarlinkError) in
                    let asked = try call.decodeParameters(as: DescriptionParameters.self).interface
                    guard let description = descriptions[asked] else { throw .interfaceNotFound(asked) }
                    call.reply(DescriptionReply(description: description))
                },
            ])
    }

    private static let serviceDescription = """
        # The interface of every Varlink service: who it is and what it offers
        interface org.varlink.service

        # Who the service is, and the names of its interfaces
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The description of an interface
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service has no such interface
        error InterfaceNotFound (interface: string)

        # The interface has no such method
        error MethodNotFound (method: string)

        # The method exists, but cannot be called this way
        error MethodNotImplemented (method: string)

        # A parameter is missing or invalid
        error InvalidParameter (parameter: string)

        # The caller is not allowed to call the method
        error PermissionDenied ()

        # The method sends a stream of replies, but the call lacks the flag `more`
        error ExpectedMore ()
        """
}

private struct InfoReply: JSONWritable {
    var information: ServiceInformation
    var interfaces: [String]

    init(_ information: ServiceInformation, interfaces: [String]) {
        self.information = information
        self.interfaces = interfaces
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("vendor", information.vendor)
        writer.member("product", information.product)
        writer.member("version", information.version)
        writer.member("url", information.url)
        writer.member("interfaces", interfaces)
        writer.endObject()
    }
}

private struct DescriptionParameters: JSONReadable {
    var interface: String

    init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        interface = try object.read("interface")
    }
}

private struct DescriptionReply: JSONWritable {
    var description: String

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("description", description)
        writer.endObject()
    }
}
